public import Accounts
internal import Addresses
public import BusinessLogic
internal import FoundationEssentials

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

    /// Parses the URL of a mail server, and reads the files.
    ///
    /// With `smtp:`, the server must offer STARTTLS (RFC 3207). If the host is `localhost` or a loopback address, the connection is not
    /// encrypted instead. With `smtps:`, the connection is encrypted from the beginning (RFC 8314). Certificates are always verified.
    ///
    /// - Parameters:
    ///   - url: `smtp://USER:PASSWORD@HOST:PORT`, or the same with `smtps:`. Without a port, it is 587 or 465. The user and the password are optional, and special characters in them are percent-encoded.
    ///   - passwordFile: a file whose first line is the password. It replaces the password of the URL.
    ///   - authorities: a file in PEM with the certificates of the authorities that are trusted, instead of those that the system trusts.
    public init(
        url: String,
        passwordFile: String? = nil,
        authorities: String? = nil
    ) throws(MailSettingError) {
        let url = try MailURL(url)
        let isPlain = !url.isTLS && Self.isLoopback(url.host)
        self.init(
            host: url.host,
            port: url.port,
            security: url.isTLS ? .tls : isPlain ? .none : .startTLS,
            credentials: try Self.credentials(url, passwordFile),
            authorities: authorities
        )
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw MailSettingError("the certificates of authorities in '\(authorities)' cannot be read")
        }
    }

    init(host: String, port: UInt16, security: Security, credentials: Credentials?, authorities: String?) {
        self.host = host
        self.port = port
        self.security = security
        self.credentials = credentials
        self.authorities = authorities
    }

    /// The URL, without the password.
    public var description: String {
        let user = credentials == nil ? "" : "…@"
        return "\(scheme)://\(user)\(urlHost):\(port)"
    }

    /// The scheme of the URL.
    var scheme: String { security == .tls ? "smtps" : "smtp" }

    /// The host as in a URL.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Whether a host is this machine, by its name or address.
    static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true
    }

    /// A mailer that gives mails to the server, up to four at the same time. It starts threads, which end when it is released.
    ///
    /// Its reasons in a ``/Accounts/MailError`` contain the codes of the server's reply. A mail server that cannot be reached, is not the
    /// right one, or rejects the user, is a temporary failure: an operator can repair it. A mailer waits two minutes at most, and stops
    /// when its task is cancelled.
    ///
    /// - Parameters:
    ///   - sender: the sender of all mails.
    ///   - clock: gives the `Date` of the mails.
    /// - Throws: ``MailSettingError`` if the system cannot start the threads.
    public func mailer(from sender: MailAddress, clock: any WallClock) throws(MailSettingError) -> any Mailer {
        try SMTPMailer(self, from: sender, clock: clock)
    }

    private static func credentials(
        _ url: MailURL,
        _ passwordFile: String?
    ) throws(MailSettingError) -> Credentials? {
        guard let user = url.user else {
            if passwordFile == nil { return nil }
            throw MailURL.invalid("it contains no user for the password of the file")
        }
        guard let password = try passwordFile.map(password) ?? url.password else {
            throw MailURL.invalid("it contains a user without a password, and no file has the password")
        }
        return Credentials(user: user, password: password)
    }

    /// The first line of a file.
    private static func password(_ file: String) throws(MailSettingError) -> String {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: file))
        } catch {
            throw MailSettingError("the password for the mail server cannot be read from '\(file)'")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let password = String(validating: line, as: UTF8.self) ?? ""
        guard !password.isEmpty, !password.containsControlCharacter else {
            throw MailSettingError("the first line of '\(file)' is not a password in UTF-8")
        }
        return password
    }
}
