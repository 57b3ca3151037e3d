import Synchronization

/// Where controllers wait until a test opens it.
package final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watching: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// How many have come so far.
    package var count: Int { state.withLock(\.count) }

    /// Returns when the test has opened it. A cancellation does not end the wait.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watching) = state.withLock { state in
                state.count += 1
                if !state.isOpen { state.waiting.append(continuation) }
                defer { state.watching = [] }
                return (state.isOpen, state.watching)
            }
            for continuation in watching { continuation.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Returns as soon as a controller has come.
    package func isReached() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count == 0 { state.watching.append(continuation) }
                return state.count > 0
            }
            if isReached { continuation.resume() }
        }
    }

    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
