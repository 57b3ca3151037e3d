/// The error of a collaborator that cannot do its work now but may be able to later.
///
/// The event fails: the controller's state stays as before, and the client may send the event again after `retryAfter`.
public enum CollaboratorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A database or a service that the collaborator needs does not respond.
    ///
    /// `part` is what the client and the operator know it by, such as `accounts`. It contains no address. `nil` for no name.
    case unavailable(retryAfter: Duration, part: String? = nil)
    /// The collaborator has more work than it can do.
    case overloaded(retryAfter: Duration)
    /// The client has exceeded a limit on how often it may do this.
    case tooManyRequests(retryAfter: Duration)

    public var description: String {
        switch self {
        case .unavailable(_, let part): "\(part.map { "'\($0)'" } ?? "a collaborator") is not available"
        case .overloaded: "there is too much work at the moment"
        case .tooManyRequests: "there were too many requests"
        }
    }
}
