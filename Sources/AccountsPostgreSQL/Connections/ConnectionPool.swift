internal import CoreMetrics
internal import HTTPMessages
internal import Logging
internal import Synchronization
internal import ThreadExecutors

/// The threads of a pool, each with a connection, and the calls that wait for one.
final class ConnectionPool: Sendable {
    let configuration: PostgreSQLConfiguration
    let factory: any MetricsFactory
    private let logger: Logger
    private let state = Mutex(State())

    init(configuration: PostgreSQLConfiguration, logger: Logger, factory: any MetricsFactory) {
        self.configuration = configuration
        self.logger = logger
        self.factory = factory
    }

    /// Changes the state, gives waiting calls to idle threads, and starts the threads that are missing.
    @discardableResult
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, failed, closers) = state.withLock { state in
            let value = body(&state)
            state.distributeCalls()
            startThreads(&state)
            let isDrained = state.waiting.isEmpty && !state.threads.contains(where: \.isConnected)
            let closers = state.closing != .no && isDrained ? state.closers : []
            if !closers.isEmpty { state.closers = [] }
            defer { state.failed = [] }
            return (value, state.failed, closers)
        }
        for closer in closers { closer.resume() }
        guard !failed.isEmpty else { return value }
        for call in failed { StatementMetrics(factory: factory).count(call.failure ?? CancellationError()) }
        // Not on this thread, which may be that of the task, or hold a lock of the task that it cancels.
        Task.detached { for call in failed { call.run() } }
        return value
    }

    private func startThreads(_ state: inout State) {
        while state.needsThread(configuration) {
            do {
                let thread = try ConnectionThread(self)
                if let reason = DetachedThread.start("PostgreSQL", { thread.run() }) {
                    throw PostgreSQLError.unavailable(reason: "cannot start a thread: \(reason)")
                }
                state.threads.append(thread)
            } catch {
                // The next change tries again.
                return state.attemptFailed("\(error)")
            }
        }
    }

    var statistics: PoolStatistics {
        state.withLock { state in
            PoolStatistics(
                inUse: state.threads.count(where: \.isConnected) - state.idle.count,
                idle: state.idle.count,
                waiting: state.waiting.count,
                opened: state.opened
            )
        }
    }
}

// MARK: Calls

extension ConnectionPool {
    /// Calls `body` with a connection, on the connection's thread.
    ///
    /// If the task is cancelled, the connection is closed, and this throws `CancellationError` if nothing can have been committed.
    ///
    /// - Parameters:
    ///   - deadline: when the call fails; `nil` for the configuration's `callTimeout` from now. A request that has waited until a deadline in vain
    ///     does not wait again.
    ///   - isolation: the caller's actor, which the closure would leave otherwise.
    func run<Value: Sendable>(
        deadline: ContinuousClock.Instant?,
        key: String? = nil,
        failsFast: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ body: @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        let trace = RequestTrace.current
        let deadline = deadline ?? (trace?.waitsSince ?? .now) + configuration.callTimeout
        let call = Call(self, deadline: deadline, key: key, failsFast: failsFast)
        do {
            return try await withTaskCancellationHandler {
                _ = isolation
                return try await call.execute {
                    guard let thread = call.thread else { throw call.failure ?? CancellationError() }
                    return try thread.execute(until: deadline, body)
                }
            } onCancel: {
                cancel(call)
            }
        } catch {
            if .now >= deadline { trace?.waitsSince = deadline - configuration.callTimeout }
            throw error
        }
    }

    /// Gives a call to an idle thread, or lets it wait for one.
    func submit(_ call: Call) {
        change { state in
            if let error = state.rejection(of: call) { return state.fail(call, error) }
            state.waiting.append(call)
            state.distributeCalls()
            guard call.thread == nil else { return }
            if state.waiting.count > configuration.maximumWaiting {
                state.waiting.removeLast()
                return state.fail(call, PostgreSQLError.queueFull)
            }
            examineDeadlines(by: call.deadline, &state)
        }
    }

    private func cancel(_ call: Call) {
        change { state in
            call.isCancelled = true
            call.thread?.signal.send()
            guard let index = state.waiting.firstIndex(where: { $0 === call }) else { return }
            state.fail(state.waiting.remove(at: index), CancellationError())
        }
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
        change { state in
            // Otherwise, an earlier deadline was added meanwhile, and then another check.
            guard state.nextCheck == time else { return }
            state.nextCheck = nil
            let isConnected = state.threads.contains(where: \.isConnected)
            let reason = state.lastFailure ?? "no connection was opened before the deadline"
            state.failCalls(isConnected ? .deadlineExceeded : .unavailable(reason: reason)) { $0.deadline <= time }
            if let next = state.waiting.lazy.map(\.deadline).min() { examineDeadlines(by: next, &state) }
        }
    }

    /// Rejects new calls, and returns when all accepted ones are finished or the deadline has passed. Then all connections are closed.
    func close(by deadline: ContinuousClock.Instant) async {
        let timer = Task.detached { [self] in
            guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
            close()
        }
        await withCheckedContinuation { continuation in
            change { state in
                if state.closing == .no { state.closing = .draining }
                state.closers.append(continuation)
                for thread in state.idle { thread.signal.send() }
            }
        }
        timer.cancel()
    }

    /// Rejects new calls, and ends all others.
    func close() {
        change { state in
            state.closing = .now
            state.failCalls(.poolIsClosed) { _ in true }
            for thread in state.threads { thread.signal.send() }
        }
    }
}

// MARK: What threads call

extension ConnectionPool {
    /// When a thread may try to open a connection; `nil` if the pool needs no further one.
    func nextAttempt(of thread: ConnectionThread) -> ContinuousClock.Instant? {
        change { state in
            guard state.closing == .now || state.waiting.isEmpty else { return state.nextAttempt }
            state.remove(thread)
            return nil
        }
    }

    /// By how many hosts an attempt moves the list of hosts.
    var hostOffset: Int { state.withLock { $0.hostOffset } }

    /// Records that a connection could not be opened, and forgets its thread.
    ///
    /// - Parameters:
    ///   - rejection: the SQLSTATE with which the server has rejected it.
    ///   - isTimeout: whether the server has not responded.
    func fail(_ thread: ConnectionThread, _ reason: String, rejection: String? = nil, isTimeout: Bool = false) {
        let isFirst = change { state in
            defer { state.attemptFailed(reason) }
            state.remove(thread)
            if isTimeout { state.hostOffset += 1 }
            let rejected = rejection.map { PostgreSQLError.connectionRejected(sqlState: $0, reason: reason) }
            state.failCalls(rejected ?? .unavailable(reason: reason), where: \.failsFast)
            return state.lastFailure == nil && state.closing == .no
        }
        if isFirst { logger.warning("cannot connect to PostgreSQL", metadata: ["reason": "\(reason)"]) }
    }

    /// Uses a thread for calls, because its connection is open.
    func begin(_ thread: ConnectionThread) {
        let wasUnavailable = change { state in
            defer { state.lastFailure = nil }
            state.opened += 1
            thread.isConnected = true
            state.idle.append(thread)
            return state.lastFailure != nil
        }
        if wasUnavailable { logger.notice("PostgreSQL is available again") }
    }

    /// What a thread with a connection does next.
    enum Work {
        case execute(Call)
        /// Waits for a call.
        case wait
        /// Closes the connection.
        case end
    }

    func work(of thread: ConnectionThread) -> Work {
        state.withLock { state in
            if state.closing == .now { return .end }
            if let call = thread.call { return .execute(call) }
            return state.closing == .no ? .wait : .end
        }
    }

    /// Why a thread must not wait for the server any longer; `nil` if it may.
    func interruption(of thread: ConnectionThread) -> (any Error)? {
        state.withLock { state in
            if state.closing == .now { return PostgreSQLError.poolIsClosed }
            return thread.call?.isCancelled == true ? CancellationError() : nil
        }
    }

    /// Ends the call of a thread, which executes the next one.
    ///
    /// - Parameter isReusable: whether the thread still has its connection.
    func end(_ thread: ConnectionThread, isReusable: Bool) {
        change { state in
            _ = state.release(thread)
            guard isReusable else { return state.remove(thread) }
            if let call = state.nextCall() {
                state.assign(call, to: thread)
            } else if state.closing == .no {
                state.idle.append(thread)
            }
        }
    }

    /// Forgets a thread whose connection is closed. Another one executes the call that was meant for it.
    func remove(_ thread: ConnectionThread) {
        change { state in
            if let call = state.release(thread) { state.waiting.insert(call, at: 0) }
            state.remove(thread)
        }
    }
}
