import Synchronization

/// A counter for which tests can wait. The suite's time limit ends a wait for a number that it never reaches.
package final class Tally: Sendable {
    typealias Waiting = (count: Int, continuation: CheckedContinuation<Void, Never>)

    let state = Mutex((count: 0, waiting: [Waiting]()))

    package init() {}

    package var count: Int { state.withLock { $0.count } }

    /// Adds one.
    package func add() {
        let reached = state.withLock { state in
            state.count += 1
            defer { state.waiting.removeAll { $0.count <= state.count } }
            return state.waiting.filter { $0.count <= state.count }
        }
        for waiting in reached { waiting.continuation.resume() }
    }

    /// Returns when the number is at least `count`. A cancellation does not end the wait.
    package func reaches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count < count { state.waiting.append((count, continuation)) }
                return state.count >= count
            }
            if isReached { continuation.resume() }
        }
    }
}
