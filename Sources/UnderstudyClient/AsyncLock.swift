internal import Foundation

/// Lets one task after another, in the order in which they came.
///
/// Sendable because its lock guards all that changes.
final class AsyncLock: @unchecked Sendable {
    private let lock = NSLock()
    private var isTaken = false
    private var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    private var lastID = 0

    /// Returns when the turn has come. ``release()`` has to be called then.
    ///
    /// - Throws: `CancellationError`, where the task is cancelled before.
    func acquire() async throws {
        try Task.checkCancellation()
        let id = lock.withLock {
            lastID += 1
            return lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lock.withLock {
                    if isTaken {
                        waiting.append((id, continuation))
                    } else {
                        isTaken = true
                        continuation.resume()
                    }
                }
                // Who was cancelled before standing in the queue was not found there.
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    /// Lets the next one.
    func release() {
        lock.withLock {
            if waiting.isEmpty {
                isTaken = false
            } else {
                waiting.removeFirst().continuation.resume()
            }
        }
    }

    private func giveUp(_ id: Int) {
        lock.withLock {
            guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
            waiting.remove(at: index).continuation.resume(throwing: CancellationError())
        }
    }
}
