import ArgumentParser
import UnderstudyReplay

/// The options of commands that search the states of all pages.
struct SearchOptions: ParsableArguments {
    @Option(help: "The maximum number of events in a row.", transform: TextParser.count.parse)
    var depth = Comparison.Limits().depth

    @Option(help: "The maximum number of pairs of states of each page.", transform: TextParser.count.parse)
    var pairs = Comparison.Limits().pairs

    @Option(help: "The maximum duration of the search in seconds.", transform: TextParser.count.parse)
    var seconds = 60

    var limits: Comparison.Limits {
        var limits = Comparison.Limits()
        limits.depth = depth
        limits.pairs = pairs
        limits.duration = .seconds(seconds)
        return limits
    }

    /// Shows in a line how far the search is that begins now.
    func progress(in line: ProgressLine) -> (ComparisonReport) -> Void {
        let start = ContinuousClock.now
        return { report in
            let pairs = report.pages.reduce(0) { $0 + $1.pairs }
            line.show(
                "\((.now - start).components.seconds) of \(seconds) s: \(report.steps) events, \(pairs) pairs of states"
            )
        }
    }
}
