internal import BusinessLogic
#if canImport(os)
    internal import os
#else
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
        fileprivate let continuation: CheckedContinuation<Bool, Never>
    }

    #if canImport(os)
        // Apple's systems have `Mutex` only since iOS 18 and macOS 15.
        private let state = OSAllocatedUnfairLock(uncheckedState: State())
    #else
        private let state = Mutex(State())
    #endif

    package init() {}

    /// Acquires the lock, after all tasks that called this before. The caller must call ``release()``.
    ///
    /// - Parameter limit: the maximum number of waiting tasks.
    /// - Throws: `CollaboratorError.overloaded` if too many tasks already wait; `CancellationError` if the task is cancelled, also while it
    ///   waits. The lock is not acquired then.
    package func acquire(limit: Int = .max) async throws {
        try Task.checkCancellation()
        if !acquireIfFree() { try await wait(limit: limit) }
    }

    /// Releases the lock, and resumes the task that has waited longest.
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
        next?.continuation.resume(returning: true)
    }

    /// Runs `body` while holding the lock.
    ///
    /// - Throws: as ``acquire(limit:)``, and what `body` throws.
    package func withLock<Result>(limit: Int = .max, _ body: () async throws -> Result) async throws -> Result {
        try await acquire(limit: limit)
        defer { release() }
        return try await body()
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
        let isAcquired = try await withTaskCancellationHandler {
            try await enqueue(number, limit: limit)
        } onCancel: {
            leave(number)
        }
        if !isAcquired { throw CancellationError() }
    }

    private enum Arrival {
        case free, queued, full
    }

    private func enqueue(_ number: UInt32, limit: Int) async throws -> Bool {
        var isFull = false
        let isAcquired = await withCheckedContinuation { continuation in
            let arrival = state.withLock { state -> Arrival in
                guard state.isTaken else {
                    state.isTaken = true
                    return .free
                }
                guard state.waiting.count < limit, !Task.isCancelled else { return .full }
                state.waiting.append(Waiting(number: number, continuation: continuation))
                return .queued
            }
            switch arrival {
            case .free: continuation.resume(returning: true)
            case .queued: break
            case .full:
                isFull = !Task.isCancelled
                continuation.resume(returning: false)
            }
        }
        if isFull { throw CollaboratorError.overloaded(retryAfter: .seconds(1)) }
        return isAcquired
    }

    private func leave(_ number: UInt32) {
        let left = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        left?.continuation.resume(returning: false)
    }
}
