import UnderstudyReplay

/// Shows on a terminal how far a comparison is.
final class ComparisonProgress {
    private let isTerminal = Terminal.isErrorTerminal
    private var shown: ContinuousClock.Instant?

    /// Shows the progress at most ten times a second.
    func show(_ report: ComparisonReport) {
        guard isTerminal else { return }
        let now = ContinuousClock.now
        if let shown, now - shown < .milliseconds(100) { return }
        shown = now
        let pairs = report.pages.reduce(0) { $0 + $1.pairs }
        Terminal.printProgress("\r\(report.steps) events, \(pairs) pairs of states\u{1B}[K")
    }

    /// Removes the progress from the terminal.
    func end() {
        if isTerminal { Terminal.printProgress("\r\u{1B}[K") }
    }
}
