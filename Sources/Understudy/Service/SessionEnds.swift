import BusinessLogic
import Logging
import SessionStorage
import Synchronization
import UnderstudyPages
import UnderstudySessions

/// Calls the hooks of the pages for sessions that have ended, at least once for each key.
final class SessionEnds: Sendable {
    private struct Ended {
        let key: String
        var failures = 0
        var due = ContinuousClock.now
    }

    private struct State {
        var waiting: [Ended] = []
        var isRunning = false
        var isFull = false
    }

    private let hooks: [(page: String, hook: @Sendable (EndedSession) async throws -> Void)]
    private let logger: Logger
    private let state = Mutex(State())
    private let lock = AsyncLock()

    /// How many ended sessions wait at most: more than a service has sessions by default.
    private static var maximumWaiting: Int { 200_000 }
    /// The number of stored keys that are claimed at once, so that their hooks run within the minute of the claim.
    private static var claimedAtOnce: Int { 100 }
    private static var interval: Duration { .seconds(1) }

    /// Returns `nil` if no page has a hook.
    init?(pages: [Page], logger: Logger) {
        hooks = pages.compactMap { page in page.onSessionEnd.map { (page.name, $0) } }
        self.logger = logger
        if hooks.isEmpty { return nil }
    }

    // MARK: Sessions in memory

    /// Adds the session once its last event has ended. Does not wait.
    func add(_ session: Session) {
        if let lease = Session.Lease(ifFree: session) {
            add(key: lease.session.values.takeKey())
        } else {
            // The event may still ask for the key, and write with it.
            Task.detached { [self] in
                let lease = try await Session.Lease(waitingFor: session)
                add(key: lease.session.values.takeKey())
            }
        }
    }

    /// `nil` for a session in memory without a key.
    func add(key: String?) {
        guard let key else { return }
        let (isFull, starts) = state.withLock { state in
            guard state.waiting.count < Self.maximumWaiting else {
                return (!exchange(&state.isFull, with: true), false)
            }
            state.waiting.append(Ended(key: key))
            return (false, !exchange(&state.isRunning, with: true))
        }
        if isFull { logger.error("Too many ended sessions wait for the hooks of pages: further ones are skipped") }
        // Detached, because an event must not wait for it, and its unit of work is not the hook's.
        if starts { Task.detached { [self] in await runUntilEmpty() } }
    }

    /// Removes and returns the keys of sessions in memory for which hooks must still run.
    func takeAll() async -> [String] {
        guard (try? await lock.acquire()) != nil else { return [] }
        defer { lock.release() }
        return state.withLock { exchange(&$0.waiting, with: []).map(\.key) }
    }

    private func runUntilEmpty() async {
        while true {
            await runDue()
            let isFinished = state.withLock { state in
                if state.waiting.isEmpty { (state.isRunning, state.isFull) = (false, false) }
                return state.waiting.isEmpty
            }
            if isFinished { return }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Runs the hooks for the sessions that have ended before this call, except those that wait after a failure.
    func runDue() async {
        guard (try? await lock.acquire()) != nil else { return }
        defer { lock.release() }
        let now = ContinuousClock.now
        let due = state.withLock { state in
            let due = state.waiting.filter { $0.due <= now }
            state.waiting.removeAll { $0.due <= now }
            return due
        }
        var failed: [Ended] = []
        var failures = Failures()
        for var ended in due where await !run(ended.key, &failures) {
            ended.failures += 1
            ended.due = .now + .seconds(1 << min(ended.failures, 8))
            failed.append(ended)
        }
        state.withLock { $0.waiting += failed }
        report(failures)
    }

    // MARK: Sessions in a store

    func run(in store: any SessionStore, _ clock: any WallClock) async {
        var failures = Failures()
        while true {
            // If the store is not available, it reports why, and the next call continues.
            guard let keys = try? await store.claimEndedSessions(limit: Self.claimedAtOnce, at: clock.now),
                !keys.isEmpty
            else { break }
            for key in keys where await run(key, &failures) { try? await store.removeEndedSession(key) }
        }
        report(failures)
    }

    // MARK: Running

    private struct Failures {
        var sessions = 0
        var last: (page: String, error: any Error)?
    }

    /// Returns `false` if the hook of a page has thrown.
    private func run(_ key: String, _ failures: inout Failures) async -> Bool {
        var failure: (page: String, error: any Error)?
        for (page, hook) in hooks {
            do { try await hook(EndedSession(key: key)) } catch { failure = (page, error) }
        }
        guard let failure else { return true }
        failures.sessions += 1
        failures.last = failure
        return false
    }

    /// Many sessions result in one line.
    private func report(_ failures: Failures) {
        guard let (page, error) = failures.last else { return }
        logger.error(
            "The hook for the end of sessions has failed, and runs again later",
            metadata: ["page": "\(page)", "sessions": "\(failures.sessions)", "error": "\(error)"]
        )
    }
}

extension UnderstudyService {
    /// Runs the hooks of pages for sessions that have ended, in this process or in the store, and waits for them.
    ///
    /// ``UnderstudyServer`` calls this every second. Without a server, call it regularly if a page has such a hook and the service has a
    /// session store.
    public func runSessionEndHooks() async {
        guard let sessionEnds else { return }
        await sessionEnds.runDue()
        if let store = configuration.sessionStore { await sessionEnds.run(in: store, configuration.clock) }
    }
}
