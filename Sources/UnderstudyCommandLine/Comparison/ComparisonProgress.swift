import UnderstudyReplay

/// Shows how far a comparison is: on a terminal in one line, otherwise in a line from time to time.
final class ComparisonProgress {
    private let limit: Duration
    private let line = ProgressLine()
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?

    /// - Parameter limit: how long the search may take.
    init(limit: Duration) {
        self.limit = limit
    }

    /// Shows the progress at most ten times a second on a terminal, otherwise every 20 seconds.
    func show(_ report: ComparisonReport) {
        let now = ContinuousClock.now
        if now - (shown ?? start) < (line.isShown ? .milliseconds(100) : .seconds(20)) { return }
        shown = now
        let pairs = report.pages.reduce(0) { $0 + $1.pairs }
        let time = "\((now - start).components.seconds) of \(limit.components.seconds) s"
        let text = "\(time): \(report.steps) events, \(pairs) pairs of states"
        if line.isShown { line.show(text) } else { Terminal.printProgress("\(text)\n") }
    }

    /// Removes the progress from the terminal.
    func clear() { line.clear() }
}
