import ArgumentParser
import Understudy

/// A duration as a person writes it: `90` or `90s`, `30m`, `12h`, `7d`, `250ms`. At most 1,000,000,000 units.
struct TimeSpan: SettingArgument, CustomStringConvertible, DescribedArgument {
    static let expectedForm = Duration.writtenForm

    let duration: Duration
    var settingValue: Duration { duration }
    /// The text that was parsed.
    let description: String

    init?(argument: String) {
        guard let duration = Duration(written: argument) else { return nil }
        self.duration = duration
        description = argument
    }
}
