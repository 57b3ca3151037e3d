public import ArgumentParser
public import Logging
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
