public import BusinessLogic

/// What the service passes to a page's controller.
public struct PageContext {
    /// The session's user, which all controllers of the session share.
    ///
    /// Unless your page declares `changesUser: false`, the service assumes that a page whose controller receives this may log a user in or
    /// out. Its commands are then sent when the event has ended, also to a client that asks for a stream.
    public var identity: any Identity {
        observedIdentity.wasRequested = true
        return observedIdentity
    }

    private let observedIdentity: any ObservedIdentity

    /// Records the results of your own collaborators.
    public let results: Results

    private let values: SessionValues

    package init(identity: any ObservedIdentity, values: SessionValues = SessionValues(), log: CollaboratorLog? = nil) {
        observedIdentity = identity
        self.values = values
        results = Results(log: log)
    }

    /// A value that all pages of the session share.
    ///
    /// - Precondition: no other value of the session with that name has another type.
    public subscript<Content>(value: SessionValue<Content>) -> Shared<Content> { values[value] }
}

/// An identity that stores whether a page's controller has received it.
package protocol ObservedIdentity: Identity {
    /// Whether a controller has received the identity since this was last set to `false`.
    var wasRequested: Bool { get set }
}
