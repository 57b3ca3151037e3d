import Synchronization

/// Distributes the files of recordings among tasks, and shows on a terminal how many have been started.
final class ReplayProgress: Sendable {
    private struct State {
        var started = 0
        var shown: ContinuousClock.Instant?
    }

    private let count: Int
    private let isTerminal = Terminal.isErrorTerminal
    private let state = Mutex(State())

    init(count: Int) {
        self.count = count
    }

    /// The index of the next file; `nil` after the last one.
    func next() -> Int? {
        state.withLock { state in
            guard state.started < count else { return nil }
            defer { state.started += 1 }
            if isTerminal { show(&state) }
            return state.started
        }
    }

    /// Shows the progress at most ten times a second.
    private func show(_ state: inout State) {
        let now = ContinuousClock.now
        if let shown = state.shown, now - shown < .milliseconds(100) { return }
        state.shown = now
        Terminal.printProgress("\r\(state.started) of \(count) recordings\u{1B}[K")
    }

    /// Removes the progress from the terminal.
    func end() {
        if isTerminal { Terminal.printProgress("\r\u{1B}[K") }
    }
}
