/// What a collaborator throws when it cannot do its work now but may be able to later. The event counts as not handled:
/// the controller's state is what it was before, and the event may be sent again.
public enum CollaboratorError: Error, Equatable, Sendable {
    /// What it depends on does not answer: a database, another service.
    case unavailable(retryAfter: Duration)
    /// It has more work than it can do.
    case overloaded(retryAfter: Duration)
    /// This client asks too often.
    case tooManyRequests(retryAfter: Duration)
}
