import BusinessLogic
import Synchronization

/// Lets one task at a time have its turn, in the order in which they came.
///
/// An actor would do the same, but a task that starts immediately would not run through it without being suspended.
final class AsyncLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [Waiting] = []
        var lastNumber = 0
    }

    private struct Waiting {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let state = Mutex(State())

    /// Returns when everybody who came before has passed; ``release()`` has to follow.
    ///
    /// - Parameter limit: how many may wait.
    /// - Throws: ``CollaboratorError/overloaded(retryAfter:)`` where more would have to wait; `CancellationError` where the
    ///   task is cancelled before its turn comes. The turn has not been taken then.
    func acquire(limit: Int) async throws {
        if !acquireIfFree() { try await wait(limit: limit) }
    }

    /// Gives the turn to whoever came next.
    func release() {
        let isWaitedFor = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken
        }
        // Apart from the common case, which is spared what a continuation costs to be handed about.
        if isWaitedFor { passOn() }
    }

    private func passOn() {
        let next = state.withLock { state -> Waiting? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }

    /// Does `body` in its turn: ``acquire(limit:)``, `body`, ``release()``.
    func withLock<Result>(limit: Int, _ body: () async throws -> Result) async throws -> Result {
        try await acquire(limit: limit)
        defer { release() }
        return try await body()
    }

    /// Takes the turn if nobody has it; ``release()`` has to follow then.
    func acquireIfFree() -> Bool {
        state.withLock { state in
            guard !state.isTaken else { return false }
            state.isTaken = true
            return true
        }
    }

    private func wait(limit: Int) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let hasTurn = try await withTaskCancellationHandler {
            try await enqueue(number, limit: limit)
        } onCancel: {
            leave(number)
        }
        if !hasTurn { throw CancellationError() }
    }

    private enum Arrival {
        case free, queued, full
    }

    private func enqueue(_ number: Int, limit: Int) async throws -> Bool {
        var isFull = false
        let hasTurn = await withCheckedContinuation { continuation in
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
        return hasTurn
    }

    private func leave(_ number: Int) {
        let left = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        left?.continuation.resume(returning: false)
    }
}
