import ArgumentParser
import RateLimiting

/// A rate limit as a person writes it: `30/10m` is 30 times in 10 minutes.
struct RateSetting: SettingArgument, CustomStringConvertible, DescribedArgument {
    static let expectedForm = "COUNT/TIME, such as 30/10m"

    let count: Int
    let interval: TimeSpan
    var settingValue: Rate { Rate(count, per: interval.duration) }
    var description: String { "\(count)/\(interval)" }

    init?(argument: String) {
        let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Count(argument: String(parts[0]))?.number,
            let interval = TimeSpan(argument: String(parts[1])), interval.duration > .zero
        else { return nil }
        self.count = count
        self.interval = interval
    }
}
