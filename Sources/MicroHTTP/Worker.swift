/// A task that answers requests of one event loop, one after the other.
///
/// Handlers that wait for nothing all run in the same worker; another one is made while each waits. A task for every
/// request would take a tenth of the time that answering it takes.
///
/// Sendable because it is touched on its loop's thread only: its task prefers the loop as its executor. When the loop has
/// ended, nobody but the task is left.
final class Worker: @unchecked Sendable {
    private let loop: EventLoop
    private var task: Task<Void, Never>?
    /// What there is to answer, and for whom.
    private var work: (request: Request, connection: Connection, generation: Int)?
    /// Where the task waits for it.
    private var waiting: UnsafeContinuation<Void, Never>?

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Has a request answered. The handler has begun, and may be done, when this returns.
    func answer(_ request: Request, for connection: Connection, generation: Int) {
        work = (request, connection, generation)
        loop.watch(request) {
            guard waiting != nil else {
                task = Task.immediate(executorPreference: loop) { await self.run() }
                return
            }
            resume()
            loop.runNewestJob()
        }
    }

    /// Cancels the handler. The worker answers nothing more.
    func cancel() {
        task?.cancel()
    }

    /// Ends the task of a worker that has nothing to do.
    func end() {
        resume()
    }

    private func resume() {
        let waiting = waiting
        self.waiting = nil
        waiting?.resume()
    }

    @concurrent private func run() async {
        while true {
            do {
                guard let (request, connection, generation) = work else { return }
                work = nil
                connection.deliver(await loop.responder.respond(to: request), generation: generation)
            }
            // The request is let go before the worker waits, so that its connection can use its memory again.
            guard !Task.isCancelled, loop.putBack(self) else { return }
            await withUnsafeContinuation { waiting = $0 }
        }
    }
}
