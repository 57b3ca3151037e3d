/// Why a setting for mails is invalid. Contains no password.
public struct MailSettingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, and what is expected.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
