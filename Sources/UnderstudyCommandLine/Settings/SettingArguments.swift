import AccountsMail
public import ArgumentParser
import BusinessLogic
public import Logging
import RateLimiting
public import Understudy

/// A type of setting whose errors describe the expected form.
protocol DescribedArgument {
    /// The form, for a sentence that begins with "expected": `COUNT/TIME, such as 30/10m`.
    static var expectedForm: String { get }
}

extension ExpressibleByArgument {
    /// Parses the text of an option.
    ///
    /// - Throws: `ValidationError`, which describes the expected form.
    static func parse(_ argument: String) throws -> Self {
        guard let value = Self(argument: argument) else {
            throw ValidationError((self as? any DescribedArgument.Type).map { "expected \($0.expectedForm)" } ?? "")
        }
        return value
    }
}

/// A type whose text is the value of a setting.
protocol SettingArgument: ExpressibleByArgument, Sendable {
    associatedtype SettingValue: Sendable = Self
    /// What the setting's value is for the program.
    var settingValue: SettingValue { get }
}

extension SettingArgument where SettingValue == Self {
    var settingValue: Self { self }
}

// MARK: Types of other modules

extension String: SettingArgument {}

extension UInt16: SettingArgument, DescribedArgument {
    static let expectedForm = "a port from 0 to 65535"
}

extension Int: SettingArgument, DescribedArgument {
    static let expectedForm = "a whole number"
}

extension Logger.Level: @retroactive ExpressibleByArgument, SettingArgument, DescribedArgument {
    static let expectedForm = "trace, debug, info, notice, warning, error or critical"
}

extension LogFormat: SettingArgument, DescribedArgument {
    static let expectedForm = "text or json"
}

extension SessionMode: ExpressibleByArgument, SettingArgument, DescribedArgument {
    static let expectedForm = "memory or database"
}

extension PathPrefix: ExpressibleByArgument, SettingArgument, DescribedArgument {
    static let expectedForm = "a path such as /understudy, without a / at its end"

    public init?(argument: String) {
        self.init(argument)
    }
}

/// A number of bytes as a person writes it: `65536`, `64KiB`, `1MiB`. At most 1,073,741,824 units.
struct ByteCount: SettingArgument, CustomStringConvertible, DescribedArgument {
    static let expectedForm = "a number of bytes, or one with KiB or MiB, such as 64KiB"

    let bytes: Int
    var settingValue: Int { bytes }
    /// The text that was parsed.
    let description: String

    init?(argument: String) {
        description = argument
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number <= 1 << 30 else { return nil }
        switch argument[digits.endIndex...].lowercased() {
        case "", "b": bytes = number
        case "k", "kib": bytes = number << 10
        case "m", "mib": bytes = number << 20
        default: return nil
        }
    }
}

/// A whole number from 1 to 100,000,000.
struct Count: SettingArgument, CustomStringConvertible, DescribedArgument {
    static let expectedForm = "a whole number from 1"

    let number: Int
    var settingValue: Int { number }
    var description: String { "\(number)" }

    init(_ number: Int) {
        self.number = number
    }

    init?(argument: String) {
        guard let number = Int(argument), number >= 1, number <= 100_000_000 else { return nil }
        self.number = number
    }
}

/// The permissions of a file as chmod takes them: `0660`.
struct FileMode: SettingArgument, CustomStringConvertible {
    let bits: UInt32
    var settingValue: UInt32 { bits }

    init?(argument: String) {
        guard (3...4).contains(argument.utf8.count), argument.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let bits = UInt32(argument, radix: 8), bits <= 0o777
        else { return nil }
        self.bits = bits
    }

    var description: String {
        let digits = String(bits, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// The sender of mails.
struct MailFromSetting: SettingArgument, DescribedArgument, CustomStringConvertible {
    static let expectedForm = "an address such as no-reply@example.com or 'Example <no-reply@example.com>'"

    let settingValue: MailAddress
    /// The text that was parsed.
    let description: String

    init?(argument: String) {
        guard let address = try? MailAddress(argument) else { return nil }
        settingValue = address
        description = argument
    }
}

/// A switch in the environment or a file: `on`, `true`, `yes` or `1`; `off`, `false`, `no` or `0`.
struct OnOff: SettingArgument, CustomStringConvertible, DescribedArgument {
    static let expectedForm = "on or off"

    let isOn: Bool
    var settingValue: Bool { isOn }
    var description: String { isOn ? "on" : "off" }

    init?(argument: String) {
        switch argument.lowercased() {
        case "1", "true", "yes", "on": isOn = true
        case "0", "false", "no", "off": isOn = false
        default: return nil
        }
    }
}

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

/// A value, or `off`.
struct ValueOrOff<Value: SettingArgument & CustomStringConvertible>: SettingArgument, CustomStringConvertible,
    DescribedArgument
{
    static var expectedForm: String {
        ((Value.self as? any DescribedArgument.Type)?.expectedForm ?? "a value") + ", or off"
    }

    /// The value; `nil` if it is switched off.
    let value: Value?
    var settingValue: Value.SettingValue? { value?.settingValue }
    var description: String { value?.description ?? "off" }

    init?(argument: String) {
        if argument.lowercased() == "off" {
            value = nil
        } else if let value = Value(argument: argument) {
            self.value = value
        } else {
            return nil
        }
    }
}

/// A time as a person writes it: a day in UTC (`2026-01-31`), a time with its offset (`2026-01-31T09:30:00Z`), or a duration with its unit before
/// now (`90d`).
enum PointInTime: ExpressibleByArgument {
    case time(Timestamp)
    case ago(Duration)

    init?(argument: String) {
        if let time = Timestamp(argument) ?? Timestamp(argument + "T00:00:00Z") {
            self = .time(time)
        } else if argument.last?.isLetter == true, let duration = Duration(written: argument) {
            // Not without a unit: a person who writes 2026 means the year.
            self = .ago(duration)
        } else {
            return nil
        }
    }

    /// The time.
    func timestamp(now: Timestamp) -> Timestamp {
        switch self {
        case .time(let time): time
        case .ago(let duration): now - duration
        }
    }
}
