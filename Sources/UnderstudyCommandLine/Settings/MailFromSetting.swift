import AccountsMail
import ArgumentParser

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
