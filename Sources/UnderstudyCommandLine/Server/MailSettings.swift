import Accounts
import AccountsMail
import ArgumentParser
import BusinessLogic

/// How mails are sent.
struct MailSettings {
    /// Where mails go.
    enum Destination {
        /// To a mail server, from a sender.
        case server(MailServer, MailAddress)
        /// Into the memory of the server, for a demonstration or a test.
        case memory
    }

    /// Where mails go; `nil` if no mails are sent.
    let destination: Destination?
    /// Whether users who sign up must confirm their address.
    let confirmsAddresses: Bool

    /// - Parameter isForTests: whether mails stay in memory without a mail server.
    /// - Throws: `ValidationError` if a value is invalid, or two values contradict each other.
    init(_ options: some ServeOptions, _ settings: SettingsReader, isForTests: Bool) throws {
        let url = try settings.value(options.mail.mailURL, Settings.mailURL)
        let sender = try settings.value(options.mail.mailFrom, Settings.mailFrom)
        let password = try settings.value(options.mail.mailPasswordFile, Settings.mailPasswordFile)
        let authorities = try settings.value(options.mail.mailAuthorities, Settings.mailAuthorities)
        confirmsAddresses = try settings.value(options.accounts.confirmAddresses, Settings.confirmAddresses)
        guard let url else {
            let needless = [
                ("mail-from", sender?.text), ("mail-password-file", password), ("mail-authorities", authorities),
            ]
            if let (name, _) = needless.first(where: { $0.1 != nil }) {
                throw ValidationError("'--\(name)' needs a mail server: set it with '--mail-url'.")
            }
            guard !confirmsAddresses || isForTests else {
                throw ValidationError("'--confirm-addresses' sends codes: set the mail server with '--mail-url'.")
            }
            destination = isForTests ? .memory : nil
            return
        }
        guard let sender else {
            throw ValidationError(
                "'--mail-url' needs a sender: set it with '--mail-from', such as 'no-reply@example.com'."
            )
        }
        do {
            let server = try MailServer(url: url.text, passwordFile: password, authorities: authorities)
            destination = .server(server, try MailAddress(sender.text))
        } catch {
            throw ValidationError("Mails cannot be sent with 'mail-url': \(error).")
        }
    }
}

/// The options for mails.
struct MailOptions: ParsableArguments {
    @Option(Settings.mailURL) var mailURL: MailURLSetting?
    @Option(Settings.mailFrom) var mailFrom: MailFromSetting?
    @Option(Settings.mailPasswordFile) var mailPasswordFile: String?
    @Option(Settings.mailAuthorities) var mailAuthorities: String?
}
