import UnderstudyReplay

/// Shows how far a comparison is: on a terminal in one line, otherwise in a line from time to time.
final class ComparisonProgress {
    private let limit: Duration
    private let isTerminal = Terminal.isErrorTerminal
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?

    /// - Parameter limit: how long the search may take.
    init(limit: Duration) {
        self.limit = limit
    }

    /// Shows the progress at most ten times a second on a terminal, otherwise every 20 seconds.
    func show(_ report: ComparisonReport) {
        let now = ContinuousClock.now
        if now - (shown ?? start) < (isTerminal ? .milliseconds(100) : .seconds(20)) { return }
        shown = now
        let pairs = report.pages.reduce(0) { $0 + $1.pairs }
        let time = "\((now - start).components.seconds) of \(limit.components.seconds) s"
        let line = "\(time): \(report.steps) events, \(pairs) pairs of states"
        Terminal.printProgress(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n")
    }

    /// Removes the progress from the terminal.
    func clear() {
        if isTerminal { Terminal.printProgress("\r\u{1B}[K") }
    }
}
