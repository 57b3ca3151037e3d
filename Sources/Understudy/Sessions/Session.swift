import Addresses
package import BusinessLogic
import MicroHTTP
import Synchronization

/// What a client has going on: its pages, their controllers and the history of their commands.
///
/// Sendable because its turn guards everything that its events touch, and its store guards the rest, which is in
/// ``StoreLinks`` and ``AddressLinks``.
final class Session: @unchecked Sendable {
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
    private let tape: CollaboratorLog?
    /// All screens, in the order of first use.
    private(set) var screens: [Screen] = []

    init(
        id: SessionID,
        now: Timestamp,
        address: IPAddress? = nil,
        history: CommandHistory = CommandHistory(),
        user: User? = nil,
        recorder: SessionRecorder? = nil,
        tape: CollaboratorLog? = nil
    ) {
        self.recorder = recorder
        self.tape = tape ?? recorder?.tape
        self.address = address
        created = now
        links = StoreLinks(id: id, lastUsed: now)
        self.history = history
        identity = SessionIdentity(user: user)
    }

    /// A page as this session has it: its recorder and its controller.
    final class Screen {
        let page: Page
        let recorder: ResponseRecorder
        let controller: any BusinessLogicController
        /// The bytes that it takes, as of its last event.
        var size = 0

        init(_ page: Page, history: CommandHistory, identity: SessionIdentity, tape: CollaboratorLog? = nil) {
            self.page = page
            recorder = ResponseRecorder(page: page.name, history: history)
            controller = page.make(PageContext(identity: identity, tape: tape))
            recorder.eventable = controller
        }
    }

    /// Whether the store has let go of the session: its events must not run any more. May be asked by any thread.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// Notes that the store lets go of the session. May be called by any thread.
    func end() {
        ended.store(true, ordering: .releasing)
    }

    /// The page's screen, if the session has used it.
    func existingScreen(of page: Page) -> Screen? {
        screens.first { $0.page === page }
    }

    /// Gives the session a screen for a page that it has none for.
    @discardableResult
    func add(_ page: Page) -> Screen {
        let screen = Screen(page, history: history, identity: identity, tape: tape)
        screens.append(screen)
        return screen
    }

    /// Takes away the screen that was added last, since its first event has failed.
    func removeLastScreen() {
        screens.removeLast()
    }
}

/// Who is logged in to a session.
///
/// Used in the session's turn, as its controllers are.
package final class SessionIdentity: Identity {
    private var current: User?
    private var former = Former.same
    /// Where the event that is being handled came from; `nil` between events.
    var origin: RequestOrigin?

    /// Who was logged in before the event, if the event has set the user. On the heap, since hardly any event does.
    private indirect enum Former {
        case same
        case user(User?)
    }

    package init(user: User?) {
        current = user
    }

    package var user: User? {
        get { current }
        set {
            if case .same = former { former = .user(current) }
            current = newValue
        }
    }

    package var client: ClientContext {
        guard let origin else { return ClientContext(user: current) }
        return ClientContext(
            user: current,
            address: origin.request.clientAddress,
            isForwarded: origin.request.isForwarded,
            deviceToken: origin.deviceToken,
            requestID: origin.request.id
        )
    }

    /// Whether a user has logged in or out during the event, be it the same one again.
    var hasChanged: Bool {
        guard case .user(let former) = former else { return false }
        return current != nil || former != nil
    }

    /// Call when the event has been handled.
    func commitEvent() {
        former = .same
    }

    /// Call when the event has failed: the same user is logged in as before.
    func rollBackEvent() {
        guard case .user(let user) = former else { return }
        current = user
        former = .same
    }
}

/// A request as far as controllers and their collaborators may know it.
class RequestOrigin {
    let request: Request
    private let deviceCookieName: StaticString

    init(request: Request, deviceCookieName: StaticString) {
        self.request = request
        self.deviceCookieName = deviceCookieName
    }

    /// The token of a device on which the user has logged in before, if the client sent one.
    final var deviceToken: String? {
        SessionCredential.deviceToken(request.headers, cookieName: deviceCookieName)
    }
}
