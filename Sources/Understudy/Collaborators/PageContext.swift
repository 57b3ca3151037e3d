public import BusinessLogic

/// What a page's controller can be given of the session that it is made for.
public struct PageContext {
    /// Who is logged in, shared by all controllers of the session.
    public let identity: any Identity

    /// The way by which the answers of collaborators of one's own get into a recording.
    public let answers: Answers

    package init(identity: any Identity, log: CollaboratorLog? = nil) {
        self.identity = identity
        answers = Answers(log: log)
    }
}
