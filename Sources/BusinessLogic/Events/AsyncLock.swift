#if os(Linux)
    internal import Synchronization
#endif

/// A lock for asynchronous code. Tasks acquire it in first-in, first-out order.
///
/// An actor would suspend a task even if no other task uses it. This lock does not. It is part of the object that has it, because an
/// object of its own would take more memory than the lock.
package struct AsyncLock: ~Copyable, Sendable {
    // Not private: the compiler of Swift 6.3 fails in debug builds if another file stores a lock whose state is.
    struct State {
        fileprivate var waiting: [Waiting] = []
        fileprivate var lastNumber: UInt32 = 0
        fileprivate var isTaken = false
    }

    struct Waiting {
        fileprivate let number: UInt32
        fileprivate let continuation: CheckedContinuation<Void, any Error>
    }

    private let state = StateLock(State())

    package init() {}

    /// Acquires the lock, after all tasks that called this before. The caller must call ``release()``.
    ///
    /// - Throws: `CollaboratorError.overloaded` if `limit` tasks already wait; `CancellationError` if the task is cancelled, also while it waits. The
    ///   lock is not acquired then.
    package func acquire(limit: Int = .max) async throws {
        try Task.checkCancellation()
        if !acquireIfFree() { try await wait(limit: limit) }
    }

    package func release() {
        let hasWaiters = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken
        }
        // A separate call, so that the common case does not pay for handling a continuation.
        if hasWaiters { resumeNext() }
    }

    private func resumeNext() {
        let next = state.withLock { state -> Waiting? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume()
    }

    /// Acquires the lock if it is free. If this returns `true`, the caller must call ``release()``.
    package func acquireIfFree() -> Bool {
        state.withLock { state in
            guard !state.isTaken else { return false }
            state.isTaken = true
            return true
        }
    }

    private func wait(limit: Int) async throws {
        let number = state.withLock { state in
            state.lastNumber &+= 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    guard state.isTaken else {
                        state.isTaken = true
                        return .success(())
                    }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.waiting.count < limit else {
                        return .failure(CollaboratorError.overloaded(retryAfter: .seconds(1)))
                    }
                    state.waiting.append(Waiting(number: number, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            leave(number)
        }
    }

    private func leave(_ number: UInt32) {
        let left = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        left?.continuation.resume(throwing: CancellationError())
    }
}
