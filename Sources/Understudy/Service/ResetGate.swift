import BusinessLogic
import Synchronization

/// Lets any number of requests run at the same time, but none while the service is reset.
final class ResetGate: Sendable {
    fileprivate struct State {
        /// The number of uses that run.
        var running = 0
        var isClosed = false
        /// Those that wait until the gate is open again.
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// A reset that waits for the last use that runs, with its number.
        var reset: (number: Int, ready: CheckedContinuation<Bool, Never>)?
        var resets = 0
    }

    private let state = Mutex(State())
    private let lock = AsyncLock()
    private let patience: Duration

    /// - Parameter patience: how long a reset waits for the requests that run.
    init(patience: Duration = .seconds(5)) {
        self.patience = patience
    }

    /// Enters, as soon as no reset runs. The caller must call ``leave()``.
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

    /// The number of uses that wait for the end of a reset.
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

    /// Ends a use.
    func leave() {
        let ready = state.withLock { state in
            state.running -= 1
            return state.running == 0 ? state.takeReset() : nil
        }
        ready?.resume(returning: true)
    }

    /// Runs a reset, after those that this was called for before. What enters meanwhile waits for its end.
    ///
    /// - Throws: what `body` throws; `CollaboratorError.overloaded` if requests still run after the patience. Then `body` has not run.
    func reset<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await lock.acquire()
        defer { lock.release() }
        let isReady = await close()
        defer { open() }
        guard isReady else { throw CollaboratorError.overloaded(retryAfter: .seconds(1)) }
        return try await body()
    }

    /// Lets nothing more enter, and waits until nothing runs.
    ///
    /// - Returns: `false` if something still runs after the patience.
    private func close() async -> Bool {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> Int? in
                state.isClosed = true
                guard state.running > 0 else { return nil }
                state.resets += 1
                state.reset = (state.resets, continuation)
                return state.resets
            }
            guard let number else { return continuation.resume(returning: true) }
            Task { [self, patience] in
                try? await Task.sleep(for: patience)
                let late = state.withLock { $0.reset?.number == number ? $0.takeReset() : nil }
                late?.resume(returning: false)
            }
        }
    }

    private func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            defer { state.waiting = [] }
            state.running += state.waiting.count
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension ResetGate.State {
    fileprivate mutating func enter() -> Bool {
        if !isClosed { running += 1 }
        return !isClosed
    }

    fileprivate mutating func takeReset() -> CheckedContinuation<Bool, Never>? {
        defer { reset = nil }
        return reset?.ready
    }
}
