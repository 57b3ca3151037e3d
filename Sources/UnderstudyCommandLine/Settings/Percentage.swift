import ArgumentParser

/// A share as a person writes it: `1%`, `0.5%`, `100`. From 0.1 to 100, both included.
struct Percentage: ExpressibleByArgument, CustomStringConvertible, DescribedArgument {
    static let expectedForm = "a percentage from 0.1% to 100%"

    /// The share, from 0.001 to 1.
    let fraction: Double
    /// The text that was parsed.
    let description: String

    init?(argument: String) {
        let number = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
        // Without signs, exponents, and names such as 'nan'.
        guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let percent = Double(number),
            percent >= 0.1, percent <= 100
        else { return nil }
        fraction = percent / 100
        description = argument
    }
}
