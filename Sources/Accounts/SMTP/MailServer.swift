import Addresses
public import BusinessLogic
import CCurl
import FoundationEssentials

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

    var scheme: String { security == .tls ? "smtps" : "smtp" }

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

extension MailServer {
    /// Parses the URL of a mail server with libcurl, and reads the files. No error contains the user or the password.
    ///
    /// With `smtp:`, the server must offer STARTTLS (RFC 3207). If the host is `localhost` or a loopback address, the connection is not
    /// encrypted instead. With `smtps:`, the connection is encrypted from the beginning (RFC 8314). Certificates are always verified.
    ///
    /// - Parameters:
    ///   - url: `smtp://USER:PASSWORD@HOST:PORT`, or the same with `smtps:`. Without a port, it is 587 or 465. The user and the password are optional, and special characters in them are percent-encoded.
    ///   - passwordFile: a file whose first line is the password. It replaces the password of the URL.
    ///   - authorities: a file in PEM with the certificates of the authorities that are trusted, instead of those that the system trusts.
    public init(url: String, passwordFile: String? = nil, authorities: String? = nil) throws(SettingError) {
        let isTLS = url.lowercased().hasPrefix("smtps://")
        guard isTLS || url.lowercased().hasPrefix("smtp://") else {
            throw Self.invalid("it does not begin with smtp:// or smtps://")
        }
        guard !url.containsControlCharacter else { throw Self.invalid("it contains a control character") }
        let handle = curl_url()
        defer { curl_url_cleanup(handle) }
        let code = curl_url_set(handle, CURLUPART_URL, url, 0)
        guard code == CURLUE_OK else { throw Self.invalid(code) }
        func part(_ part: CURLUPart) throws(SettingError) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            defer { curl_free(text) }
            switch curl_url_get(handle, part, &text, UInt32(CURLU_URLDECODE)) {
            case CURLUE_OK:
                let value = text.flatMap { String(validatingCString: $0) }
                guard let value else { throw Self.invalid("a part of it is not text in UTF-8") }
                return value
            case CURLUE_NO_USER, CURLUE_NO_PASSWORD, CURLUE_NO_OPTIONS, CURLUE_NO_PORT, CURLUE_NO_QUERY,
                CURLUE_NO_FRAGMENT:
                return nil
            case let code: throw Self.invalid(code)
            }
        }
        // libcurl reads what follows a semicolon in the password as options.
        guard try part(CURLUPART_PATH) == "/", try part(CURLUPART_QUERY) == nil, try part(CURLUPART_FRAGMENT) == nil,
            try part(CURLUPART_OPTIONS) == nil
        else {
            throw Self.invalid("something follows the port. Special characters of the password need the form %2F")
        }
        let (user, password) = (try part(CURLUPART_USER), try part(CURLUPART_PASSWORD))
        let host = try part(CURLUPART_HOST) ?? ""
        guard !host.isEmpty else { throw Self.invalid("it contains no host") }
        let port = try part(CURLUPART_PORT).flatMap { UInt16($0) }
        guard port != 0 else { throw Self.invalid("the port is not a number from 1 to 65535") }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = port ?? (isTLS ? 465 : 587)
        let isHere = self.host.lowercased() == "localhost" || IPAddress(self.host)?.isLoopback == true
        security = isTLS ? .tls : isHere ? .none : .startTLS
        credentials = try Self.credentials(user, password, passwordFile)
        self.authorities = authorities
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw SettingError("the certificates of authorities in '\(authorities)' cannot be read")
        }
    }

    private static func credentials(
        _ user: String?,
        _ password: String?,
        _ passwordFile: String?
    ) throws(SettingError) -> Credentials? {
        if user == nil, password == nil, passwordFile == nil { return nil }
        guard let user, !user.isEmpty else { throw invalid("it contains no user for the password") }
        guard let password = try passwordFile.map(readPassword) ?? password else {
            throw invalid("it contains a user without a password, and no file has the password")
        }
        guard !password.isEmpty, !password.containsControlCharacter else {
            throw invalid("the password is empty, or contains a control character")
        }
        return Credentials(user: user, password: password)
    }

    private static func readPassword(_ file: String) throws(SettingError) -> String {
        do { return try SecretFile.firstLine(of: file) } catch {
            throw SettingError("the password for the mail server cannot be read from '\(file)'")
        }
    }

    private static func invalid(_ code: CURLUcode) -> SettingError {
        invalid("libcurl reports '\(String(cString: curl_url_strerror(code)))'")
    }

    private static func invalid(_ reason: String) -> SettingError {
        SettingError(
            """
            the URL of the mail server is invalid: \(reason). Expected smtp://USER:PASSWORD@HOST:PORT, or the same with \
            smtps://, with % before the hexadecimal code of each special character
            """
        )
    }
}
