internal import Synchronization

/// An event that happens once, for which any number of tasks can wait.
final class CompletionSignal: Sendable {
    private struct State {
        var hasHappened = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Returns when the event has happened.
    func wait() async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLock { state in
                if !state.hasHappened { state.waiting.append(continuation) }
                return state.hasHappened
            }
            if hasHappened { continuation.resume() }
        }
    }

    /// Records the event, and resumes the waiting tasks.
    func signal() {
        let waiting = state.withLock { state in
            state.hasHappened = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
