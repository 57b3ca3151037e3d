import Dispatch
import Synchronization

/// Threads for calls that wait for the disk or the network. They start when calls need them, and stay until the pool is closed.
///
/// Calls begin in their order, but those with the same key run one at a time. The threads retain the pool until ``close()``.
package final class ThreadPool: Sendable {
    /// Why a call does not run.
    package enum Rejection: Error {
        case closed
        /// Too many calls wait.
        case full
        /// The deadline has passed.
        case late
        /// The system cannot start a thread.
        case noThread(reason: String)
    }

    private struct State {
        /// The calls that wait for a thread, the oldest first.
        var waiting: [Call] = []
        var running: [Call] = []
        var threads = 0
        /// How many threads have found only calls that wait for others with their keys.
        var held = 0
        /// When deadlines are examined: at the earliest deadline of a waiting call or before; `nil` if that is not planned.
        var nextCheck: ContinuousClock.Instant?
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []

        /// Removes and returns what waits for the end of all calls, if they have ended.
        mutating func takeClosers() -> [CheckedContinuation<Void, Never>] {
            guard running.isEmpty, waiting.isEmpty else { return [] }
            return exchange(&closers, with: [])
        }

        /// Removes the oldest call that waits for no other with the same key, which runs now.
        mutating func next() -> Call? {
            let index = waiting.firstIndex { call in call.key == nil || !running.contains { $0.key == call.key } }
            guard let index else { return nil }
            running.append(waiting.remove(at: index))
            return running.last
        }
    }

    private let name: String
    private let maximum: Int
    private let maximumWaiting: Int
    private let state = Mutex(State())
    /// Signalled once for each waiting call, and once for each thread at the end.
    private let signals = DispatchSemaphore(value: 0)
    private let group = DispatchGroup()

    /// `maximum` calls, at least 1, can run at the same time, and `maximumWaiting` others can wait. The name of the threads has at most 15 bytes.
    package init(_ name: String, maximum: Int, maximumWaiting: Int = .max) {
        self.name = name
        self.maximum = maximum
        self.maximumWaiting = maximumWaiting
    }

    package var waitingCount: Int { state.withLock(\.waiting.count) }

    // MARK: Calls

    /// Calls `body` on one of the threads. A call that has not begun at the deadline fails. `isolation` is the caller's actor, which the
    /// closure would leave otherwise.
    ///
    /// - Throws: the errors of `body`; ``Rejection``; `CancellationError` if the task is cancelled before `body` begins.
    package func run<Value: Sendable>(
        until deadline: ContinuousClock.Instant? = nil,
        key: String? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: @Sendable (Call) throws -> Value
    ) async throws -> Value {
        let call = Call(self, deadline: deadline, key: key)
        return try await withTaskCancellationHandler {
            _ = isolation
            return try await CallIsolation(call).run {
                if let failure = call.failure { throw failure }
                // When this returns, the thread is ready for the next call.
                defer { finish(call) }
                return try body(call)
            }
        } onCancel: {
            cancel(call)
        }
    }

    /// Lets a call wait for a thread. Starts a thread if all are busy.
    fileprivate func submit(_ call: Call) {
        let failure: (any Error)? = state.withLock { state in
            if call.isCancelled { return CancellationError() }
            if state.isClosed { return Rejection.closed }
            if let deadline = call.deadline, deadline <= .now { return Rejection.late }
            let count = state.running.count + state.waiting.count
            if count - maximum >= maximumWaiting { return Rejection.full }
            if count >= state.threads, state.threads < maximum {
                if let reason = startThread() {
                    // If there is another thread, that one executes the call.
                    if state.threads == 0 { return Rejection.noThread(reason: reason) }
                } else {
                    state.threads += 1
                }
            }
            state.waiting.append(call)
            if let deadline = call.deadline { examineDeadlines(by: deadline, &state) }
            return nil
        }
        if let failure { fail([call], failure) } else { signals.signal() }
    }

    private func cancel(_ call: Call) {
        let isWaiting = state.withLock { state in
            call.isCancelled = true
            guard let index = state.waiting.firstIndex(where: { $0 === call }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        if isWaiting { fail([call], CancellationError()) } else { call.interrupt() }
    }

    private func finish(_ call: Call) {
        let closers = state.withLock { state in
            state.running.removeAll { $0 === call }
            for _ in 0..<state.held { signals.signal() }
            state.held = 0
            return state.takeClosers()
        }
        for closer in closers { closer.resume() }
    }

    private func fail(_ calls: [Call], _ error: any Error) {
        if calls.isEmpty { return }
        for call in calls { call.failure = error }
        // Not on this thread, which may be that of the task, or hold a lock of the task that it cancels.
        Task.detached { for call in calls { call.run() } }
    }

    /// Makes the pool examine the deadlines of waiting calls at the given time, or before.
    private func examineDeadlines(by time: ContinuousClock.Instant, _ state: inout State) {
        if let next = state.nextCheck, next <= time { return }
        state.nextCheck = time
        Task.detached { [weak self] in
            try? await Task.sleep(until: time, clock: .continuous)
            self?.examineDeadlines(at: time)
        }
    }

    private func examineDeadlines(at time: ContinuousClock.Instant) {
        let late: [Call] = state.withLock { state in
            // Otherwise, an earlier deadline was added meanwhile, and then another check.
            guard state.nextCheck == time else { return [] }
            state.nextCheck = nil
            let late = state.waiting.filter { $0.deadline.map { $0 <= time } ?? false }
            state.waiting.removeAll { call in late.contains { $0 === call } }
            if let next = state.waiting.lazy.compactMap(\.deadline).min() { examineDeadlines(by: next, &state) }
            return late
        }
        fail(late, Rejection.late)
    }

    // MARK: The end

    /// Rejects new calls. The threads end after those that the pool has accepted.
    package func close() {
        state.withLock { state in
            if state.isClosed { return }
            state.isClosed = true
            for _ in 0..<state.threads { signals.signal() }
        }
    }

    /// Rejects the waiting calls, and wakes those that run and have an action for that.
    package func interrupt() {
        let (waiting, running, closers) = state.withLock { state in
            (exchange(&state.waiting, with: []), state.running, state.takeClosers())
        }
        fail(waiting, Rejection.closed)
        for call in running { call.interrupt() }
        for closer in closers { closer.resume() }
    }

    /// Rejects new calls, and returns when all others have ended.
    package func drain() async {
        close()
        await withCheckedContinuation { continuation in
            let closers = state.withLock { state in
                state.closers.append(continuation)
                return state.takeClosers()
            }
            for closer in closers { closer.resume() }
        }
    }

    /// Blocks the calling thread until all threads have ended. Call ``close()`` before.
    package func wait() { group.wait() }

    // MARK: On the threads

    /// Returns why the system cannot start a thread; `nil` if it runs.
    private func startThread() -> String? {
        group.enter()
        let reason = DetachedThread.start(name) {
            while let call = self.next() { call.run() }
            self.group.leave()
        }
        if reason != nil { group.leave() }
        return reason
    }

    /// Waits for a call. Returns `nil` if the thread must end.
    private func next() -> Call? {
        while true {
            signals.wait()
            let (call, isEnd): (Call?, Bool) = state.withLock { state in
                if let call = state.next() { return (call, false) }
                if state.waiting.isEmpty { return (nil, state.isClosed) }
                state.held += 1
                return (nil, false)
            }
            if call != nil || isEnd { return call }
        }
    }

    /// A call that waits for a thread, and then runs there: an executor that stores the one job that it receives.
    ///
    /// So the task changes threads once in each direction. A continuation would resume it on one of Swift's own threads, from which it returns to
    /// its actor. That takes a tenth of a server's processor time for a short statement of SQL.
    package final class Call: SerialExecutor, @unchecked Sendable {
        // Sendable because the lock of the pool protects `isCancelled`, and only one thread at a time uses the others.

        fileprivate let deadline: ContinuousClock.Instant?
        fileprivate let key: String?
        fileprivate var isCancelled = false
        fileprivate var failure: (any Error)?
        private var job: UnownedJob?
        private let pool: ThreadPool
        private let wake = Mutex(Wake())

        /// In a structure, because each access would wrap a closure in the lock itself once more.
        private struct Wake {
            var action: (@Sendable () -> Void)?
        }

        fileprivate init(_ pool: ThreadPool, deadline: ContinuousClock.Instant?, key: String?) {
            self.pool = pool
            self.deadline = deadline
            self.key = key
        }

        package func enqueue(_ job: consuming ExecutorJob) {
            self.job = UnownedJob(job)
            pool.submit(self)
        }

        fileprivate func run() { job.take()?.runSynchronously(on: asUnownedSerialExecutor()) }

        /// From now on, `wake` is called when the task is cancelled, or the pool is interrupted.
        package func use(_ wake: @escaping @Sendable () -> Void) {
            self.wake.withLock { $0.action = wake }
        }

        fileprivate func interrupt() { wake.withLock(\.action)?() }
    }
}

/// The actor in whose method a call waits and runs.
private actor CallIsolation {
    private let call: ThreadPool.Call

    nonisolated var unownedExecutor: UnownedSerialExecutor { call.asUnownedSerialExecutor() }

    init(_ call: ThreadPool.Call) {
        self.call = call
    }

    func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value { try body() }
}
