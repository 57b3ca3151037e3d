public import BusinessLogic

/// What the service passes to a page's controller.
public struct PageContext {
    /// The session's user, which all controllers of the session share.
    public let identity: any Identity

    /// Records the results of your own collaborators.
    public let results: Results

    package init(identity: any Identity, log: CollaboratorLog? = nil) {
        self.identity = identity
        results = Results(log: log)
    }
}
