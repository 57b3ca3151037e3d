internal import HTTPMessages

/// A task that runs handlers of one event loop, one after the other.
///
/// Handlers that never wait all run in the same worker. While a handler waits, the loop uses another worker. To create a task for each
/// request would cost a tenth of the time of a response.
///
/// Sendable because its task is isolated to the loop, so that only the loop's thread uses the worker. Debug builds assert this. After the
/// loop has ended, only the task uses the worker.
final class Worker: @unchecked Sendable {
    private let loop: EventLoop
    private let pause = Pause()
    @exclusivity(unchecked) private var task: Task<Void, Never>?
    /// Whether the task is cancelled, which takes longer to ask the task.
    @exclusivity(unchecked) private var isCancelled = false
    /// The next request, with its connection and the connection's generation; `nil` once the task has taken it.
    @exclusivity(unchecked) private var work: (request: Request, connection: Connection, generation: Int)?

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Starts the handler of a request. The handler may have responded when this returns.
    func handle(_ request: Request, for connection: Connection, generation: Int) {
        loop.executor.assertOnLoop()
        work = (request, connection, generation)
        loop.watch(request) {
            if task == nil {
                task = loop.isolation.assumeIsolated { isolation in Task { await self.run(in: isolation) } }
                loop.executor.runNewestJob()
            } else {
                pause.end(on: loop.isolation)
            }
        }
    }

    /// Cancels the handler. The worker then ends.
    func cancel() {
        isCancelled = true
        task?.cancel()
    }

    /// Ends the task of a worker without a request.
    func end() {
        pause.end(on: loop.isolation)
    }

    private func run(in isolation: isolated LoopExecutor.Isolation) async {
        let pause = Pause.Isolation(pause)
        let responder = loop.responder
        while true {
            do {
                guard let (request, connection, generation) = work.take() else { return }
                connection.deliver(await responder.respond(to: request), generation: generation)
            }
            // The worker releases the request before it waits, so that the connection can reuse its memory.
            guard !isCancelled, loop.putBack(self) else { return }
            await pause.begin()
        }
    }
}

/// Where a worker's task waits for the next request: an executor that stores the job it receives.
///
/// A continuation would do the same, but it resumes the task through Swift's own threads and takes the task's lock.
///
/// Sendable because only the worker's loop uses it.
private final class Pause: SerialExecutor, @unchecked Sendable {
    private var job: UnownedJob?

    func enqueue(_ job: consuming ExecutorJob) {
        self.job = UnownedJob(job)
    }

    /// Runs the waiting task until it waits again or ends.
    func end(on isolation: LoopExecutor.Isolation) {
        job.take()?.runSynchronously(on: isolation.unownedExecutor)
    }

    /// The actor in whose method the task waits.
    actor Isolation {
        nonisolated let unownedExecutor: UnownedSerialExecutor
        private var count = 0

        init(_ pause: Pause) {
            unownedExecutor = pause.asUnownedSerialExecutor()
        }

        /// Returns when the pause has ended.
        @inline(never) func begin() {
            // Without a statement, the optimiser would remove the call.
            count &+= 1
        }
    }
}
