import Synchronization

/// A gate at which handlers wait until a test opens it. A cancellation does not end the wait.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The number of handlers that have reached the gate.
    let arrivals = Tally()

    /// Returns when the gate is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
            arrivals.add()
        }
    }

    /// Lets all waiting and later handlers through.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
