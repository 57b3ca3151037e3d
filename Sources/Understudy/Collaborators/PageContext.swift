public import BusinessLogic

/// What the service passes to a page's controller.
public struct PageContext {
    /// The session's user, which all controllers of the session share.
    public let identity: any Identity

    /// Records the results of your own collaborators.
    public let results: Results

    private let values: SessionValues

    package init(identity: any Identity, values: SessionValues = SessionValues(), log: CollaboratorLog? = nil) {
        self.identity = identity
        self.values = values
        results = Results(log: log)
    }

    /// A value that all pages of the session share.
    ///
    /// - Precondition: no other value of the session with that name has another type.
    public subscript<Content>(value: SessionValue<Content>) -> Shared<Content> { values[value] }
}
