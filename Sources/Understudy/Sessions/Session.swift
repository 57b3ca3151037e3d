import Addresses
package import BusinessLogic
import MicroHTTP
import Synchronization

/// What a client has going on: its pages, their controllers and the history of their commands.
///
/// Sendable because its turn guards everything that its events touch, and its store guards the rest, which is in
/// ``StoreLinks`` and ``AddressLinks``.
package final class Session: @unchecked Sendable {
    /// Lets the session's events run one at a time, in the order in which they came.
    let lock = AsyncLock()
    /// When the session was started.
    let created: Timestamp
    /// The address by which the session counts against the limit for addresses; `nil` if it does not count.
    let address: IPAddress?
    /// What the store keeps with it. Guarded by the lock of its shard.
    var links: StoreLinks
    /// What the limit for addresses keeps with it. Guarded by that limit's lock.
    var addressLinks = AddressLinks()
    private let ended = Atomic<Bool>(false)

    // From here on guarded by the turn.

    /// The commands over all pages.
    let history: CommandHistory
    /// Who is logged in.
    let identity: SessionIdentity
    /// The responses to the last requests that had an idempotency key.
    var replies = IdempotencyCache()
    /// Records the session; `nil` if it is not recorded.
    let recorder: SessionRecorder?
    private let log: CollaboratorLog?
    /// All screens, in the order of first use.
    private(set) var screens: [Screen] = []

    init(
        id: SessionID,
        now: Timestamp,
        address: IPAddress? = nil,
        history: CommandHistory = CommandHistory(),
        user: User? = nil,
        recorder: SessionRecorder? = nil,
        log: CollaboratorLog? = nil
    ) {
        self.recorder = recorder
        self.log = log ?? recorder?.log
        self.address = address
        created = now
        links = StoreLinks(id: id, lastUsed: now)
        self.history = history
        identity = SessionIdentity(user: user)
    }

    /// A session in no store, whose collaborators answer what the log contains.
    package convenience init(replaying log: CollaboratorLog) {
        self.init(id: SessionToken.random().id, now: Timestamp(milliseconds: 0), log: log)
    }

    /// A page as this session has it: its recorder and its controller.
    package final class Screen {
        package let page: Page
        package let recorder: ResponseRecorder
        package let controller: any BusinessLogicController
        /// The bytes that it takes, as of its last event.
        var size = 0
        /// The bytes that the controller's state takes, as of its last event.
        var stateSize = 0

        package init(_ page: Page, history: CommandHistory, identity: SessionIdentity, log: CollaboratorLog? = nil) {
            self.page = page
            recorder = ResponseRecorder(page: page.name, history: history)
            controller = page.make(PageContext(identity: identity, log: log))
            recorder.eventable = controller
        }

        /// Runs an event whose fields have been checked, all or nothing.
        ///
        /// - Parameters:
        ///   - index: the event's place in the page's events.
        ///   - values: what was entered into fields. Secret ones do not keep it.
        ///   - identity: the session's user.
        ///   - failing: called before everything is as before, since the event has failed.
        ///   - accept: called when the controller has handled the event; throws if its outcome must not be kept.
        package func run(
            eventAt index: Int,
            with values: Value.Object,
            identity: (any Identity)?,
            failing: () -> Void = {},
            accept: () throws -> Void = {}
        ) async throws {
            try await recorder.runEvent(with: values, dropping: page.secrets, identity: identity) {
                do {
                    try await controller.handleEvent(at: index, accept: accept)
                } catch {
                    failing()
                    throw error
                }
            }
        }
    }

    /// Whether the store has let go of the session: its events must not run any more. May be asked by any thread.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// Notes that the store lets go of the session. May be called by any thread.
    func end() {
        ended.store(true, ordering: .releasing)
    }

    /// The page's screen, if the session has used it.
    package func existingScreen(of page: Page) -> Screen? {
        screens.first { $0.page === page }
    }

    /// Gives the session a screen for a page that it has none for.
    @discardableResult
    func add(_ page: Page) -> Screen {
        let screen = Screen(page, history: history, identity: identity, log: log)
        screens.append(screen)
        return screen
    }

    /// Takes away the screen that was added last, since its first event has failed.
    func removeLastScreen() {
        screens.removeLast()
    }
}
