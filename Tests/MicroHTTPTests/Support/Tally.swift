import Synchronization

/// A counter for which tests can wait.
final class Tally: Sendable {
    /// The counter has not reached the number in time.
    struct NotReached: Error {
        let expected: Int
        let count: Int
    }

    private struct Waiting {
        let count: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var count = 0
        var waiting: [Int: Waiting] = [:]
        var nextWaiting = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.count) }

    /// Adds one.
    func add() {
        let reached = state.withLock { state in
            state.count += 1
            let reached = state.waiting.filter { $0.value.count <= state.count }
            for key in reached.keys { state.waiting[key] = nil }
            return reached
        }
        for waiting in reached.values { waiting.continuation.resume() }
    }

    /// Returns when the number is at least `count`; throws ``NotReached`` after two minutes.
    func reaches(_ count: Int) async throws {
        let key = state.withLock { state in
            defer { state.nextWaiting += 1 }
            return state.nextWaiting
        }
        let timeout = Task {
            try await Task.sleep(for: .seconds(120))
            giveUp(key)
        }
        defer { timeout.cancel() }
        try await withCheckedThrowingContinuation { continuation in
            let isReached = state.withLock { state in
                let isReached = state.count >= count
                if !isReached { state.waiting[key] = Waiting(count: count, continuation: continuation) }
                return isReached
            }
            if isReached { continuation.resume() }
        }
    }

    private func giveUp(_ key: Int) {
        let (waiting, count) = state.withLock { ($0.waiting.removeValue(forKey: key), $0.count) }
        waiting?.continuation.resume(throwing: NotReached(expected: waiting?.count ?? 0, count: count))
    }
}
