internal import ThreadExecutors

extension ConnectionPool {
    /// What the lock protects.
    struct State {
        /// All threads, also those that open their connections.
        var threads: [ConnectionThread] = []
        /// The threads without a call. The pool uses the last one first, because its memory is most likely in the processor's cache.
        var idle: [ConnectionThread] = []
        /// The calls that wait for a connection, the oldest first.
        var waiting: [Call] = []
        /// The keys of the calls that threads execute.
        var busyKeys: Set<String> = []
        /// Why the last attempt to connect has failed; `nil` if it has succeeded.
        var lastFailure: String?
        /// When the next attempt to connect may start.
        var nextAttempt = ContinuousClock.now
        /// By how many hosts the next attempt to connect moves the list of hosts.
        var hostOffset = 0
        /// The connections that were opened since the start.
        var opened = 0
        /// When deadlines are examined: at the earliest deadline of a waiting call or before; `nil` if no call waits.
        var nextCheck: ContinuousClock.Instant?
        var closing = Closing.no
        /// What waits for the end of all calls.
        var closers: [CheckedContinuation<Void, Never>] = []
        /// The calls that have failed since the lock was taken.
        var failed: [Call] = []

        /// The longest pause after a failed attempt to connect. Each is random, so that the servers of one database do not connect at the same time.
        private static let longestPause: Duration = .milliseconds(500)

        /// Records a failed attempt to connect.
        mutating func attemptFailed(_ reason: String) {
            lastFailure = reason
            nextAttempt = .now + Self.longestPause * .random(in: 0...1)
        }
    }

    /// Whether the pool accepts calls.
    enum Closing {
        case no
        /// The accepted calls may finish.
        case draining
        /// All calls end.
        case now
    }
}

extension ConnectionPool.State {
    /// Gives waiting calls to idle threads.
    mutating func distributeCalls() {
        // While a thread is idle, all waiting calls wait for others with their keys.
        while let thread = idle.last, let call = nextCall() {
            idle.removeLast()
            assign(call, to: thread)
            thread.signal.send()
        }
    }

    /// Removes and returns the oldest call that waits for no other with the same key.
    mutating func nextCall() -> Call? {
        let index = waiting.firstIndex { call in call.key.map { !busyKeys.contains($0) } ?? true }
        return index.map { waiting.remove(at: $0) }
    }

    mutating func assign(_ call: Call, to thread: ConnectionThread) {
        if let key = call.key { busyKeys.insert(key) }
        call.thread = thread
        thread.call = call
    }

    /// Separates a thread from its call.
    mutating func release(_ thread: ConnectionThread) -> Call? {
        guard let call = thread.call.take() else { return nil }
        call.thread = nil
        if let key = call.key { busyKeys.remove(key) }
        return call
    }

    mutating func remove(_ thread: ConnectionThread) {
        threads.removeAll { $0 === thread }
        idle.removeAll { $0 === thread }
    }

    /// Whether calls wait for a connection that the pool may open now. After a failure, one attempt runs at a time.
    func needsThread(_ configuration: PostgreSQLConfiguration) -> Bool {
        let connecting = threads.count { !$0.isConnected }
        return closing != .now && waiting.count > connecting && threads.count < configuration.maximumConnections
            && (lastFailure == nil || connecting == 0)
    }

    func rejection(of call: Call) -> (any Error)? {
        if call.isCancelled { return CancellationError() }
        if closing != .no { return PostgreSQLError.poolIsClosed }
        return call.deadline <= .now ? PostgreSQLError.deadlineExceeded : nil
    }

    mutating func fail(_ call: Call, _ error: any Error) {
        call.failure = error
        failed.append(call)
    }

    /// Fails those of the waiting calls that fulfil a condition.
    mutating func failCalls(_ error: PostgreSQLError, where condition: (Call) -> Bool) {
        for call in waiting where condition(call) { fail(call, error) }
        waiting.removeAll(where: condition)
    }
}

/// A call that waits for a connection, and then runs on the connection's thread.
final class Call: ThreadCall, @unchecked Sendable {
    // Sendable because the lock of the pool protects what is not constant, except for the job.

    let deadline: ContinuousClock.Instant
    /// Calls with the same key run one at a time; `nil` if the call waits for no other.
    let key: String?
    /// Whether the first failed attempt to connect fails the call.
    let failsFast: Bool
    var isCancelled = false
    /// The thread that executes the call; `nil` before and afterwards.
    var thread: ConnectionThread?
    /// Why the call does not run.
    var failure: (any Error)?
    var job: UnownedJob?
    private let pool: ConnectionPool

    init(_ pool: ConnectionPool, deadline: ContinuousClock.Instant, key: String?, failsFast: Bool) {
        self.pool = pool
        self.deadline = deadline
        self.key = key
        self.failsFast = failsFast
    }

    func submit() { pool.submit(self) }
}

/// The figures of a pool at one moment.
package struct PoolStatistics: Sendable, Equatable {
    /// The connections that execute a call, or that a transaction has reserved.
    package let inUse: Int
    /// The connections that wait for a call.
    package let idle: Int
    /// The calls that wait for a connection.
    package let waiting: Int
    /// The connections that were opened since the start.
    package let opened: Int
}
