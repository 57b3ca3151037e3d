/// Gives mails to a mail server.
public protocol Mailer: Sendable {
    /// Gives a mail to the mail server, which then is responsible for it.
    ///
    /// It may be called twice with the same mail, for example after a connection that ended before the mail server's answer. It must end
    /// after at most two minutes, and soon if its task is cancelled.
    ///
    /// - Throws: ``MailError``.
    func send(_ mail: Mail) async throws(MailError)
}

/// Why a mail server has not accepted a mail.
public enum MailError: Error, Equatable, Sendable {
    /// It may accept the mail later. Contains the reason, without addresses.
    case temporary(String)
    /// It will never accept the mail. Contains the reason, without addresses.
    case permanent(String)
}

extension String {
    /// The words of a mail server's reply, each with an address replaced: addresses must not be in logs. At most 500 Unicode scalars.
    package var withoutAddresses: String {
        let words = unicodeScalars.prefix(1_000).split { $0.properties.isWhitespace }
        let text = words.map { $0.contains("@") ? "(address)" : String($0) }.joined(separator: " ")
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(500)))
    }
}
