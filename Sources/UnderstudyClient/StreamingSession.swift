#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking

    /// A URL session whose responses arrive in parts. Linux has no `URLSession.bytes(for:)`, and calls only the delegate of a session.
    final class StreamingSession: Sendable {
        private let arrivals = Arrivals()
        private let session: URLSession

        init(_ configuration: URLSessionConfiguration) {
            session = URLSession(configuration: configuration, delegate: arrivals, delegateQueue: nil)
        }

        deinit {
            // Otherwise, the session would keep its delegate and itself for ever.
            session.finishTasksAndInvalidate()
        }

        /// Returns when the head of the response has arrived. Cancelling the task cancels the request.
        func send(
            _ request: URLRequest
        ) async throws -> (response: URLResponse, body: AsyncThrowingStream<[UInt8], any Error>) {
            let task = session.dataTask(with: request)
            let (body, parts) = AsyncThrowingStream.makeStream(of: [UInt8].self)
            parts.onTermination = { _ in task.cancel() }
            let response = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { head in
                    arrivals.add(Arrival(head: head, parts: parts), for: task)
                    task.resume()
                    // The cancellation handler may have run before the task had started.
                    if Task.isCancelled { task.cancel() }
                }
            } onCancel: {
                task.cancel()
            }
            return (response, body)
        }
    }

    private struct Arrival {
        /// `nil` once the head has arrived.
        var head: CheckedContinuation<URLResponse, any Error>?
        let parts: AsyncThrowingStream<[UInt8], any Error>.Continuation
    }

    /// It is `@unchecked Sendable` because `lock` guards its variable.
    private final class Arrivals: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        private let lock = NSLock()
        private var arrivals: [Int: Arrival] = [:]

        func add(_ arrival: Arrival, for task: URLSessionTask) {
            lock.withLock { arrivals[task.taskIdentifier] = arrival }
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            let head = lock.withLock { arrivals[dataTask.taskIdentifier]?.head.take() }
            head?.resume(returning: response)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let parts = lock.withLock { arrivals[dataTask.taskIdentifier]?.parts }
            parts?.yield(Array(data))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let arrival = lock.withLock { arrivals.removeValue(forKey: task.taskIdentifier) }
            arrival?.head?.resume(throwing: error ?? URLError(.badServerResponse))
            arrival?.parts.finish(throwing: error)
        }
    }
#endif
