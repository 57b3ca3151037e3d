extension Comparison {
    /// In seconds: 388 days.
    private static let longestWait = 1 << 25
    /// How many durations are tried at one event in one state, because an event may show a countdown.
    private static let maximumThresholds = 12

    /// In seconds, the durations after which a step has another outcome than before.
    ///
    /// It tries one second, two, four and so on, until the next timer, and finds each change between two of them by bisection.
    func thresholds(_ first: Outcome, of step: ComparedStep, in pair: Int, _ page: Int) async throws -> [Int] {
        // A timer may run late. Before a later event, a service runs the timers that are due.
        let end = step.values == nil ? Int.max : pairs[pair].horizon ?? .max
        var earlier = (seconds: 0, outcome: first)
        var thresholds: [Int] = []
        var seconds = 1
        while seconds <= Self.longestWait, seconds * 1000 < end {
            let later = (seconds, try await outcome(of: step.later(by: seconds), in: pair))
            try await findThresholds(between: earlier, later, of: step, in: pair, &thresholds)
            earlier = later
            seconds *= 2
        }
        if thresholds.count > Self.maximumThresholds { leaveUntried(.durations, of: page) }
        return thresholds
    }

    private func findThresholds(
        between earlier: (seconds: Int, outcome: Outcome),
        _ later: (seconds: Int, outcome: Outcome),
        of step: ComparedStep,
        in pair: Int,
        _ thresholds: inout [Int]
    ) async throws {
        if thresholds.count > Self.maximumThresholds || later.outcome.isSame(as: earlier.outcome) { return }
        if later.seconds - earlier.seconds == 1 { return thresholds.append(later.seconds) }
        let seconds = (earlier.seconds + later.seconds) / 2
        let middle = (seconds, try await outcome(of: step.later(by: seconds), in: pair))
        try await findThresholds(between: earlier, middle, of: step, in: pair, &thresholds)
        try await findThresholds(between: middle, later, of: step, in: pair, &thresholds)
    }
}
