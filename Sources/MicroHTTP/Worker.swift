/// A task that answers requests of one event loop, one after the other.
///
/// Handlers that wait for nothing all run in the same worker; another one is made while each waits. A task for every
/// request would take a tenth of the time that answering it takes.
///
/// Sendable because only its loop's thread uses it, which debug builds assert: its task is isolated to the loop. When the loop has
/// ended, only the task is left.
final class Worker: @unchecked Sendable {
    private let loop: EventLoop
    private let pause = Pause()
    private var task: Task<Void, Never>?
    /// What there is to answer, and for whom.
    private var work: (request: Request, connection: Connection, generation: Int)?

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Has a request answered. The handler has begun, and may be done, when this returns.
    func answer(_ request: Request, for connection: Connection, generation: Int) {
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

    /// Cancels the handler. The worker answers nothing more.
    func cancel() {
        task?.cancel()
    }

    /// Ends the task of a worker that has nothing to do.
    func end() {
        pause.end(on: loop.isolation)
    }

    private func run(in isolation: isolated LoopExecutor.Isolation) async {
        let pause = Pause.Isolation(pause)
        while true {
            do {
                guard let (request, connection, generation) = work else { return }
                work = nil
                connection.deliver(await loop.responder.respond(to: request), generation: generation)
            }
            // The request is let go before the worker waits, so that its connection can use its memory again.
            guard !Task.isCancelled, loop.putBack(self) else { return }
            await pause.begin()
        }
    }
}

/// Where a worker's task waits for the next request: an executor that keeps the job that it is given.
///
/// A continuation would do the same, but resumes by way of Swift's own threads and takes the task's lock.
///
/// Sendable because it is touched on the worker's loop only.
private final class Pause: SerialExecutor, @unchecked Sendable {
    private var job: UnownedJob?

    func enqueue(_ job: consuming ExecutorJob) {
        self.job = UnownedJob(job)
    }

    /// Has the task that waits here go on, until it waits again or is done.
    func end(on isolation: LoopExecutor.Isolation) {
        job.take()?.runSynchronously(on: isolation.unownedExecutor)
    }

    /// Whose methods wait where they are called.
    actor Isolation {
        nonisolated let unownedExecutor: UnownedSerialExecutor
        private var count = 0

        init(_ pause: Pause) {
            unownedExecutor = pause.asUnownedSerialExecutor()
        }

        /// Returns when the pause has ended.
        @inline(never) func begin() {
            // For the optimiser: it removes a call of a function that does nothing.
            count &+= 1
        }
    }
}
