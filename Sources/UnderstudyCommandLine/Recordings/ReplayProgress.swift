import Synchronization

/// Distributes the files of recordings among tasks, and shows on a terminal how many have been started.
final class ReplayProgress: Sendable {
    private struct State {
        var started = 0
        var shown: ContinuousClock.Instant?
    }

    private let count: Int
    private let line = ProgressLine()
    private let state = Mutex(State())

    init(count: Int) {
        self.count = count
    }

    /// The index of the next file; `nil` after the last one.
    func next() -> Int? {
        state.withLock { state in
            guard state.started < count else { return nil }
            defer { state.started += 1 }
            if line.isShown { show(&state) }
            return state.started
        }
    }

    /// Shows the progress at most ten times a second.
    private func show(_ state: inout State) {
        let now = ContinuousClock.now
        if let shown = state.shown, now - shown < .milliseconds(100) { return }
        state.shown = now
        line.show("\(state.started) of \(count) recordings")
    }

    /// Removes the progress from the terminal.
    func end() { line.clear() }
}
