/// A call that waits for a thread, and then runs there: an executor that stores the one job that it receives.
///
/// So the task changes threads once in each direction. A continuation would resume it on one of Swift's own threads, from which it returns to
/// its actor. That takes a tenth of a server's processor time for a short statement of SQL.
package protocol ThreadCall: SerialExecutor {
    /// The job of the call. Only ``execute(_:)`` and ``run()`` use it, one after the other.
    var job: UnownedJob? { get set }

    /// Passes the call to a thread, which calls ``run()``.
    func submit()
}

extension ThreadCall {
    package func enqueue(_ job: consuming ExecutorJob) {
        self.job = UnownedJob(job)
        submit()
    }

    /// Runs the call on this thread.
    package func run() { job.take()?.runSynchronously(on: asUnownedSerialExecutor()) }

    /// Submits the call, and returns what `body` returns on the thread. May be called once.
    package func execute<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws -> Value {
        try await ThreadCallIsolation(self).run(body)
    }
}

/// The actor in whose method a call waits and runs.
private actor ThreadCallIsolation {
    private let call: any ThreadCall

    nonisolated var unownedExecutor: UnownedSerialExecutor { call.asUnownedSerialExecutor() }

    init(_ call: any ThreadCall) {
        self.call = call
    }

    func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value { try body() }
}
