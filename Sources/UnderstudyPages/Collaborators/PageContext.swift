public import BusinessLogic

/// What the service passes to a page's controller.
public struct PageContext {
    /// The session's user, which all controllers of the session share.
    ///
    /// Unless your page declares `changesUser: false`, the service assumes that a page whose controller receives this may log a user in or
    /// out. Its commands are then sent when the event has ended, also to a client that asks for a stream.
    public var identity: any Identity {
        use.hasProvidedIdentity = true
        return sessionIdentity
    }

    private let sessionIdentity: any Identity
    private let use = Use()

    /// Records the results of your own collaborators.
    public let results: Results

    private let values: SessionValues

    package init(identity: any Identity, values: SessionValues = SessionValues(), log: CollaboratorLog? = nil) {
        sessionIdentity = identity
        self.values = values
        results = Results(log: log)
    }

    /// Identifies the session for your own data, such as a slot that it holds: 32 random hexadecimal digits, created when a page first reads
    /// it. Read it when you create the controller. No client ever receives it, unless a controller shows it.
    ///
    /// It stays the same until the session ends, also after a login, a restart and on other servers. After a logout, pages get another
    /// one, so that the session's next user does not find what the former user has left. When the session ends or its user logs out,
    /// the hooks that pages declare as `onSessionEnd` receive the key. A recording contains it.
    public var sessionKey: String { results.from("sessionKey", else: "") { values.requireKey() } }

    /// A value that all pages of the session share.
    ///
    /// - Precondition: no other value of the session with that name has another type.
    public subscript<Content>(value: SessionValue<Content>) -> Shared<Content> { values[value] }

    // Not a property of the identity, which takes memory as long as the session.
    private final class Use {
        var hasProvidedIdentity = false
        var clock: (any WallClock)?
    }

    package var hasProvidedIdentity: Bool { use.hasProvidedIdentity }

    /// The timers of the controller follow it; `nil` if the controller has received none by ``recorded(_:)-(WallClock)``.
    package internal(set) var clock: (any WallClock)? {
        get { use.clock }
        nonmutating set { use.clock = newValue }
    }
}
