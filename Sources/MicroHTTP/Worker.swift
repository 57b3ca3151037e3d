import HTTPMessages
import ThreadExecutors

/// A task that runs handlers of one event loop, one after the other.
///
/// Handlers that never wait all run in the same worker. While a handler waits, the loop uses another worker. To create a task for each
/// request would cost a tenth of the time of a response.
///
/// Sendable because its task is isolated to the loop, so that only the loop's thread uses the worker. Debug builds assert this. After the
/// loop has ended, only the task uses the worker.
final class Worker: @unchecked Sendable {
    private let loop: EventLoop
    let responderNumber: Int
    private let parking = ParkingExecutor()
    private var task: Task<Void, Never>?
    /// Whether the task is cancelled, which takes longer to ask the task.
    private var isCancelled = false
    private(set) var trace: RequestTrace?
    /// `nil` once the task has taken the connection, whose request is next.
    private var connection: Connection?

    init(loop: EventLoop) {
        self.loop = loop
        responderNumber = loop.responderNumber
    }

    /// The handler may have responded when this returns.
    func handleRequest(of connection: Connection) {
        loop.assertOnThread()
        self.connection = connection
        loop.watch(connection.request) {
            if task == nil {
                task = loop.isolation.assumeIsolated { isolation in
                    Task {
                        _ = isolation
                        await RequestTrace.bind { trace in
                            self.trace = trace
                            await self.run(in: isolation)
                        }
                    }
                }
                loop.executor.runNewestJob()
            } else {
                parking.resume(on: loop.isolation.unownedExecutor)
            }
        }
    }

    /// Also ends the worker.
    func cancel() {
        isCancelled = true
        task?.cancel()
    }

    /// Drops the password of the request if it waits to be hashed, because the client has gone. Anything else completes, so that a client that has
    /// lost its connection can ask for the response again.
    func abandon() {
        trace?.isAbandoned = true
        if trace?.isHashing == true { cancel() }
    }

    /// The worker must have no request.
    func end() { parking.resume(on: loop.isolation.unownedExecutor) }

    private func run(in isolation: isolated LoopIsolation) async {
        let parking = ParkingExecutor.Isolation(parking)
        let responder = loop.responder
        while true {
            do {
                guard let connection = connection.take() else { return }
                let (request, generation) = (connection.request, connection.generation)
                trace?.begin(request)
                connection.deliver(await responder.respond(to: request), generation: generation)
            }
            // The worker releases the request before it waits, so that the connection can reuse its memory.
            guard !isCancelled, loop.putBack(self) else { return }
            await parking.wait()
        }
    }
}

/// Handlers are isolated to it. They return to the loop after each wait.
///
/// A preferred task executor would do the same, but then each await takes the task's lock, six times per event.
actor LoopIsolation {
    nonisolated let unownedExecutor: UnownedSerialExecutor

    /// The executor must outlive this.
    init(_ executor: ThreadExecutor) {
        unownedExecutor = executor.asUnownedSerialExecutor()
    }

    /// Runs a function on the loop's thread, or on another one if the loop has ended.
    func run(_ function: @Sendable () -> Void) { function() }
}
