import ArgumentParser

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
