import ArgumentParser

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
