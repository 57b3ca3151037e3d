package import BusinessLogic
import HTTPMessages
package import SessionStorage
import Synchronization
package import UnderstudyPages

/// A client's session: its pages with their controllers, and the history of their commands.
///
/// Sendable because ``lock`` guards everything that events access, and the store's locks guard the rest, which is in
/// ``ShardEntry``, ``ownerNode`` and ``isCounted``.
package final class Session: @unchecked Sendable {
    /// Runs events one at a time, in the order in which they arrived.
    package let lock = AsyncLock()
    /// Changes only while the session is in no shard and not counted by ``SessionOwners``, so that the locks of both and ``lock`` each
    /// allow to read it.
    package internal(set) var id: SessionID
    package let created: Timestamp
    /// The address by which the session counts against the limit for addresses; `nil` if it does not count.
    package let address: AddressHash?
    // In the bytes that an optional address leaves free.
    private let ended = Atomic<Bool>(false)
    /// Whether the recording contains events of a user who has logged out, so that the session's next user must not read it. ``lock``
    /// guards it.
    package private(set) var hidesRecording = false
    /// If ``SessionOwners`` counts the session, its ID does not change. Their lock guards it.
    var isCounted = false
    /// How many events have been handled in memory.
    let events = Atomic<UInt32>(0)
    package let waiters = Waiters()
    /// The lock of the session's shard guards it.
    package var shardEntry: ShardEntry
    /// The lock of ``SessionOwners`` guards it.
    var ownerNode = RecencyNode()

    // ``lock`` guards everything from here on.

    /// What a store has saved, until the first request that uses the session; `nil` from then on. Decoding takes longer than an event,
    /// so that a service that restores many sessions would start late.
    package var saved: SavedSession?
    /// `nil` if sessions are only in memory.
    package var sharedVersion: SharedVersion?
    package let history = CommandHistory()
    package let identity = SessionIdentity(user: nil)
    package var idempotencyCache = IdempotencyCache()
    package let values = SessionValues()
    private let observer: Observer?
    /// All screens, in the order in which they were first used.
    package private(set) var screens: [Screen] = []
    /// `nil` if no screen has updates.
    package private(set) var lastUpdates: LastUpdates?

    package init(id: SessionID, now: Timestamp, address: AddressHash? = nil, observer: Observer? = nil) {
        self.observer = observer
        self.address = address
        created = now
        self.id = id
        shardEntry = ShardEntry(lastUsed: now)
    }

    package func countEvent() { events.add(1, ordering: .relaxed) }

    /// A session for a replay, which is in no store. Its collaborators return the log's results.
    package convenience init(replaying log: CollaboratorLog) {
        self.init(id: SessionToken.random().id, now: Timestamp(milliseconds: 0), observer: .log(log))
    }

    /// What records the session, or only what its collaborators return. In one reference, because most sessions have neither.
    package enum Observer {
        case recorder(SessionRecorder)
        case log(CollaboratorLog)
    }

    /// `nil` if the session is not recorded.
    package var recorder: SessionRecorder? { if case .recorder(let recorder) = observer { recorder } else { nil } }

    /// `nil` if the session is not recorded and tests do not control the service.
    package var log: CollaboratorLog? {
        switch observer {
        case .recorder(let recorder): recorder.log
        case .log(let log): log
        case nil: nil
        }
    }

    package final class Screen {
        package let page: Page
        package let recorder: ResponseRecorder
        package let controller: any BusinessLogicController
        /// The bytes that the screen took after its last event.
        package var size = 0

        /// `nil` if the page declares none.
        package let updates: ScreenUpdates?

        package let mayChangeUser: Bool

        package init(
            _ page: Page,
            history: CommandHistory,
            identity: SessionIdentity,
            values: SessionValues,
            log: CollaboratorLog? = nil
        ) {
            self.page = page
            recorder = ResponseRecorder(page: page.name, history: history, dropsLateCommands: true)
            let context = PageContext(identity: identity, values: values, log: log)
            controller = page.make(context)
            mayChangeUser = page.changesUser ?? context.hasProvidedIdentity
            updates = page.updates.isEmpty ? nil : ScreenUpdates(clock: context.clock)
            recorder.eventable = controller
        }
    }

    /// Whether the store has removed the session, so that no more events may run. Any thread may call this.
    package var hasEnded: Bool { ended.load(ordering: .sequentiallyConsistent) }

    /// Any thread may call this.
    func end() {
        ended.store(true, ordering: .sequentiallyConsistent)
        waiters.wake()
    }

    /// Makes a session that has ended go on. Call it before it gets another ID, while holding the session's lock.
    func goOn() { ended.store(false, ordering: .sequentiallyConsistent) }

    /// `nil` if the session has not used the page.
    package func existingScreen(of page: Page) -> Screen? {
        // Iterating over the elements would count references to each of them.
        for index in screens.indices where screens[index].page === page { return screens[index] }
        return nil
    }

    @discardableResult
    func add(_ page: Page) -> Screen {
        let screen = Screen(page, history: history, identity: identity, values: values, log: log)
        screens.append(screen)
        if screen.updates != nil, lastUpdates == nil { lastUpdates = LastUpdates() }
        return screen
    }

    /// Removes what the user who has logged out leaves behind, so that the session's next user does not find it: all pages, the
    /// values that they share, the responses for idempotency keys, and the commands up to the one numbered `start`.
    func forgetUser(before start: Int) {
        screens = []
        lastUpdates = nil
        values.removeAll()
        idempotencyCache = IdempotencyCache()
        history.removeAll(through: start)
        hidesRecording = recorder != nil
    }

    /// The screen's first event has failed.
    func removeLastScreen() { screens.removeLast() }
}

/// A session that a store has saved, before the first request that uses it. A class, because few sessions have one.
package final class SavedSession: Sendable {
    package let stored: StoredSession

    package init(_ stored: StoredSession) {
        self.stored = stored
    }
}

extension Session {
    /// The right to use a session, which one task has at a time. It ends with this value.
    package struct Lease: ~Copyable {
        package let session: Session

        /// - Returns: `nil` if another task uses the session.
        package init?(ifFree session: Session) {
            guard session.lock.acquireIfFree() else { return nil }
            self.session = session
        }

        /// Waits until the tasks that have asked before have used the session.
        ///
        /// - Throws: `CollaboratorError.overloaded` if `limit` tasks already wait; `CancellationError`.
        package init(waitingFor session: Session, limit: Int = .max) async throws {
            try await RequestTrace.measure(.session, "wait for the session") {
                try await session.lock.acquire(limit: limit)
            }
            self.session = session
        }

        deinit {
            session.identity.origin = nil
            session.lock.release()
        }
    }
}
