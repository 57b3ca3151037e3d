import Synchronization

/// Shows how far a command is, on standard error: on a terminal in one line that is replaced, otherwise in a line from time to time.
final class ProgressLine: Sendable {
    private let isTerminal = Terminal.isErrorTerminal
    /// The shortest time between two lines; `nil` to show none.
    private let interval: Duration?
    private let shown: Mutex<ContinuousClock.Instant>

    /// - Parameter interval: the time between two lines if standard error is no terminal; `nil` to show none.
    init(every interval: Duration? = nil) {
        self.interval = isTerminal ? .milliseconds(100) : interval
        // On a terminal, the first text is shown at once.
        shown = Mutex(isTerminal ? .now.advanced(by: .milliseconds(-100)) : .now)
    }

    /// Shows a text, unless another one was shown a moment ago.
    func show(_ text: @autoclosure () -> String) {
        guard let interval else { return }
        let isDue = shown.withLock { shown in
            guard ContinuousClock.now - shown >= interval else { return false }
            shown = .now
            return true
        }
        if isDue { Terminal.printProgress(isTerminal ? "\r\(text())\u{1B}[K" : "\(text())\n") }
    }

    /// Removes the line from the terminal.
    func clear() {
        if isTerminal { Terminal.printProgress("\r\u{1B}[K") }
    }
}
