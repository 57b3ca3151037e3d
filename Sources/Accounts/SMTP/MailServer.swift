public import BusinessLogic

/// The SMTP server to which mails are given.
public struct MailServer: Equatable, Sendable, CustomStringConvertible {
    /// What protects the connection.
    enum Security: Sendable {
        /// Nothing. For a server on this machine only.
        case none
        /// TLS begins with the command `STARTTLS` (RFC 3207), before any password or mail is sent.
        case startTLS
        /// TLS begins at once (RFC 8314).
        case tls
    }

    struct Credentials: Equatable, Sendable {
        let user: String
        let password: String
    }

    /// A name or an IP address, without brackets.
    let host: String
    let port: UInt16
    let security: Security
    let credentials: Credentials?
    /// The file with the certificates of the authorities that are trusted; `nil` for those that the system trusts.
    let authorities: String?
    /// How long a mailer waits until the server has accepted a mail, including the time to connect.
    ///
    /// If a server accepts a mail later, it is sent twice. RFC 5321 section 4.5.3.2 recommends ten minutes, so that this is less likely.
    var timeout: Duration = .seconds(120)

    /// The URL, without the password.
    public var description: String {
        let user = credentials == nil ? "" : "…@"
        return "\(scheme)://\(user)\(urlHost):\(port)"
    }

    /// The scheme of the URL.
    var scheme: String { security == .tls ? "smtps" : "smtp" }

    /// The host as in a URL.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    /// A mailer that gives mails to the server, each on a thread of its own.
    ///
    /// Its reasons in a ``MailError`` contain the codes of the server's reply. A mail server that cannot be reached, is not the
    /// right one, or rejects the user, is a temporary failure: an operator can repair it. A mailer waits two minutes at most, and stops
    /// when its task is cancelled.
    ///
    /// - Parameters:
    ///   - sender: the sender of all mails.
    ///   - clock: gives the `Date` of the mails.
    public func mailer(from sender: MailAddress, clock: any WallClock) -> any Mailer {
        SMTPMailer(server: self, sender: sender, clock: clock)
    }
}
