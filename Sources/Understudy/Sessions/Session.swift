package import BusinessLogic
import MicroHTTP

/// What a client has going on: its pages, their controllers and the history of their commands.
///
/// Sendable because its turn guards everything that its events touch, and its store guards the rest, which stands in
/// ``StoreLinks``.
final class Session: @unchecked Sendable {
    /// Lets the session's events run one at a time, in the order in which they came.
    let turn = Turn()
    /// When the session was started.
    let created: Timestamp
    /// What the store keeps with it. Guarded by the store's lock.
    var links: StoreLinks

    // From here on guarded by the turn.

    /// The commands over all pages.
    let history: CommandHistory
    /// Who is logged in.
    let identity: SessionIdentity
    /// The answers of the last requests that had an idempotency key.
    var replies = Replies()
    /// Records the session; `nil` where it is not recorded.
    let recorder: SessionRecorder?
    private var screens: [Screen] = []

    init(
        id: SessionID,
        now: Timestamp,
        history: CommandHistory = CommandHistory(),
        user: User? = nil,
        recorder: SessionRecorder? = nil
    ) {
        self.recorder = recorder
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

        init(_ page: Page, history: CommandHistory, identity: SessionIdentity, tape: Tape? = nil) {
            self.page = page
            recorder = ResponseRecorder(page: page.name, history: history)
            controller = page.make(PageContext(identity: identity, tape: tape))
            recorder.eventable = controller
        }
    }

    /// The page's screen, if the session has used it.
    func existingScreen(of page: Page) -> Screen? {
        screens.first { $0.page === page }
    }

    /// All screens, in the order of first use.
    var usedScreens: [Screen] { screens }

    /// Gives the session a screen for a page that it has none for.
    @discardableResult
    func add(_ page: Page) -> Screen {
        let screen = Screen(page, history: history, identity: identity, tape: recorder?.tape)
        screens.append(screen)
        return screen
    }
}

/// Who is logged in to a session, and whether that has just changed.
package final class SessionIdentity: Identity {
    package private(set) var visitor: Visitor
    /// Whether somebody else has logged in since this was last set back.
    var hasChanged = false

    package init(user: User?) {
        visitor = Visitor(user: user)
    }

    package var user: User? {
        get { visitor.user }
        set {
            if visitor.user != newValue { hasChanged = true }
            visitor.user = newValue
        }
    }

    /// Notes where the event that is about to be handled comes from.
    func noteOrigin(of request: Request) {
        visitor.address = request.clientAddress
        visitor.requestID = request.id
    }
}
