import BusinessLogic
import Synchronization

/// Lets any number of requests run at the same time, but none while the service is reset.
final class ResetGate: Sendable {
    fileprivate struct State {
        var running = 0
        var isClosed = false
        /// Those that wait until the gate is open again.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let lock = AsyncLock()
    private let patience: Duration

    /// - Parameter patience: how long a reset waits for the requests that run.
    init(patience: Duration = .seconds(5)) {
        self.patience = patience
    }

    /// Waits while a reset runs. The caller must call ``leave()``.
    func enter(isolation: isolated (any Actor)? = #isolation) async {
        if state.withLock({ $0.enter() }) { return }
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.enter() { return true }
                state.waiting.append(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Whether the current task has entered.
    @TaskLocal static var isEntered = false

    /// Runs `body`, which waits for a client or for time, so that a reset does not wait for it.
    func leaveDuring(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async {
        guard Self.isEntered else { return await body() }
        leave()
        await body()
        await enter()
    }

    func leave() {
        state.withLock { $0.running -= 1 }
    }

    /// Runs a reset, after those that this was called for before. What enters meanwhile waits for its end.
    ///
    /// - Throws: `CollaboratorError.overloaded` if requests still run after the patience. Then `body` has not run.
    func reset<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await lock.acquire()
        defer { lock.release() }
        let isReady = await close()
        defer { open() }
        guard isReady else { throw CollaboratorError.overloaded(retryAfter: .seconds(1)) }
        return try await body()
    }

    /// Lets nothing more enter, and waits until nothing runs. Returns `false` if something still runs after the patience, or this task is cancelled.
    private func close() async -> Bool {
        state.withLock { $0.isClosed = true }
        let end = ContinuousClock.now + patience
        while state.withLock({ $0.running > 0 }) {
            // Only tests reset a service, so that no time is lost that matters.
            guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(1))) != nil else { return false }
        }
        return true
    }

    private func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            state.running += state.waiting.count
            return exchange(&state.waiting, with: [])
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension ResetGate.State {
    fileprivate mutating func enter() -> Bool {
        if !isClosed { running += 1 }
        return !isClosed
    }
}
