import Accounts
import ArgumentParser

/// Where mails go.
enum MailDestination {
    /// To a mail server, from a sender.
    case server(MailServer, MailAddress)
    /// Into the memory of the server, for a demonstration or a test.
    case memory

    /// The destination that the settings name; `nil` if no mails are sent.
    ///
    /// - Parameter isForTests: whether mails stay in memory without a mail server.
    /// - Throws: `ValidationError` if a value is invalid, or two values contradict each other.
    init?(_ reader: SettingsReader, confirmsAddresses: Bool, isForTests: Bool) throws {
        let sender = try reader.value(Settings.mailFrom)
        let password = try reader.value(Settings.mailPasswordFile)
        let authorities = try reader.value(Settings.mailAuthorities)
        guard let url = try reader.value(Settings.mailURL) else {
            let needless: [any AnySetting] = [Settings.mailFrom, Settings.mailPasswordFile, Settings.mailAuthorities]
            if let setting = needless.first(where: { reader.origin(of: $0) != nil }) {
                throw ValidationError("'--\(setting.name)' needs a mail server: set it with '--mail-url'.")
            }
            guard !confirmsAddresses || isForTests else {
                throw ValidationError("'--confirm-addresses' sends codes: set the mail server with '--mail-url'.")
            }
            guard isForTests else { return nil }
            self = .memory
            return
        }
        guard let sender else {
            throw ValidationError(
                "'--mail-url' needs a sender: set it with '--mail-from', such as 'no-reply@example.com'."
            )
        }
        do {
            self = .server(try MailServer(url: url, passwordFile: password, authorities: authorities), sender)
        } catch {
            throw ValidationError("Mails cannot be sent with 'mail-url': \(error).")
        }
    }
}
