internal import Foundation

/// A lock that suspends waiting tasks and admits them in FIFO order. It runs on iOS 16, unlike `Mutex`.
///
/// It is `@unchecked Sendable` because `lock` guards all of its variables.
final class AsyncLock: @unchecked Sendable {
    private let lock = NSLock()
    private var isLocked = false
    private var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    private var lastID = 0

    /// Waits for the lock. The caller must call ``release()`` afterwards.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile. The caller does not have the lock then.
    func acquire() async throws {
        try Task.checkCancellation()
        let id = lock.withLock {
            lastID += 1
            return lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lock.withLock {
                    if isLocked {
                        waiting.append((id, continuation))
                    } else {
                        isLocked = true
                        continuation.resume()
                    }
                }
                // The cancellation handler may have run before the task was in the queue.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Passes the lock to the next waiting task.
    func release() {
        lock.withLock {
            if waiting.isEmpty {
                isLocked = false
            } else {
                waiting.removeFirst().continuation.resume()
            }
        }
    }

    private func cancel(_ id: Int) {
        lock.withLock {
            guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
            waiting.remove(at: index).continuation.resume(throwing: CancellationError())
        }
    }
}
