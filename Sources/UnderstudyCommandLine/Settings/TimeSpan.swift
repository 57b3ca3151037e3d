import ArgumentParser

/// A duration as a person writes it: `90` or `90s`, `30m`, `12h`, `7d`, `250ms`. At most 1,000,000,000 units.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible, DescribedArgument {
    static let expectedForm = "a number with ms, s, m, h or d, such as 30m"

    let duration: Duration
    /// The text that was parsed.
    let description: String

    init?(argument: String) {
        description = argument
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= 1_000_000_000 else { return nil }
        switch argument[digits.endIndex...] {
        case "", "s": duration = .seconds(number)
        case "ms": duration = .milliseconds(number)
        case "m": duration = .seconds(60 * number)
        case "h": duration = .seconds(3600 * number)
        case "d": duration = .seconds(86_400 * number)
        default: return nil
        }
    }
}
