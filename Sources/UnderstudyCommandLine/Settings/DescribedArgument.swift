public import ArgumentParser
public import Logging
public import Understudy

/// A type of setting whose errors describe the expected form.
protocol DescribedArgument {
    /// The form, for a sentence that begins with "expected": `COUNT/TIME, such as 30/10m`.
    static var expectedForm: String { get }
}

extension ExpressibleByArgument {
    /// The expected form with a colon before it; empty if the type does not describe it.
    static var expectation: String {
        (self as? any DescribedArgument.Type).map { ": expected " + $0.expectedForm } ?? ""
    }

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

// MARK: Types of other modules

extension UInt16: DescribedArgument {
    static let expectedForm = "a port from 0 to 65535"
}

extension Int: DescribedArgument {
    static let expectedForm = "a whole number"
}

extension Logger.Level: @retroactive ExpressibleByArgument, DescribedArgument {
    static let expectedForm = "trace, debug, info, notice, warning, error or critical"
}

extension LogFormat: ExpressibleByArgument, DescribedArgument {
    static let expectedForm = "text or json"
}

extension SessionMode: ExpressibleByArgument, DescribedArgument {
    static let expectedForm = "memory or database"
}

extension PathPrefix: ExpressibleByArgument, DescribedArgument {
    static let expectedForm = "a path such as /understudy, without a / at its end"

    public init?(argument: String) {
        self.init(argument)
    }
}
