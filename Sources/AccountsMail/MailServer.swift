public import Accounts
public import BusinessLogic
internal import FoundationEssentials

/// The mail server to which mails are given: an SMTP server, or the program `sendmail` of this machine.
public struct MailServer: Equatable, Sendable, CustomStringConvertible {
    private enum Kind: Equatable {
        case smtp(SMTPServer)
        case sendmail(program: String)
    }

    private let kind: Kind
    /// How long a mailer waits.
    var timeouts = MailTimeouts()

    /// Parses the URL of a mail server, and reads the files.
    ///
    /// With `smtp:`, the server must offer STARTTLS (RFC 3207). If the host is `localhost` or a loopback address, the connection is not
    /// encrypted instead. With `smtps:`, the connection is encrypted from the beginning (RFC 8314). Certificates are always verified.
    ///
    /// - Parameters:
    ///   - url: `smtp://USER:PASSWORD@HOST:PORT`, the same with `smtps:`, or `sendmail:` with the absolute path of a program. Without a port,
    ///     it is 587 or 465. The user and the password are optional, and special characters in them are percent-encoded.
    ///   - passwordFile: a file whose first line is the password. It replaces the password of the URL.
    ///   - authorities: a file in PEM with the certificates of the authorities that are trusted, instead of those that the system trusts.
    public init(
        url: String,
        passwordFile: String? = nil,
        authorities: String? = nil
    ) throws(MailSettingError) {
        if url.hasPrefix("sendmail:") {
            guard passwordFile == nil, authorities == nil else {
                throw MailSettingError(
                    "a password and certificates of authorities are for smtp:// and smtps://, not for sendmail:"
                )
            }
            kind = .sendmail(program: try Self.program(String(url.dropFirst("sendmail:".count))))
        } else {
            let url = try MailURL(url)
            let isPlain = !url.isTLS && SMTPServer.isLoopback(url.host)
            let server = SMTPServer(
                host: url.host,
                port: url.port,
                security: url.isTLS ? .tls : isPlain ? .none : .startTLS,
                credentials: try Self.credentials(url, passwordFile),
                authorities: authorities
            )
            kind = .smtp(server)
        }
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw MailSettingError("the certificates of authorities in '\(authorities)' cannot be read")
        }
    }

    /// For tests.
    init(_ server: SMTPServer) {
        kind = .smtp(server)
    }

    /// The URL, without the password.
    public var description: String {
        switch kind {
        case .smtp(let server):
            let scheme = server.security == .tls ? "smtps" : "smtp"
            let user = server.credentials == nil ? "" : "…@"
            return "\(scheme)://\(user)\(server.urlHost):\(server.port)"
        case .sendmail(let program): return "sendmail:\(program)"
        }
    }

    /// The host that mails go to over TCP; `nil` if a program of this machine gets them.
    package var host: String? {
        switch kind {
        case .smtp(let server): server.host
        case .sendmail: nil
        }
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
        switch kind {
        case .smtp(let server): try SMTPMailer(server, timeouts, from: sender, clock: clock)
        case .sendmail(let program): try SendmailMailer(program, timeout: timeouts.total, from: sender, clock: clock)
        }
    }

    private static func program(_ path: String) throws(MailSettingError) -> String {
        guard path.hasPrefix("/"), !path.containsControlCharacter else {
            throw MailURL.invalid("no absolute path follows sendmail:")
        }
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard exists, !isFolder, FileManager.default.isExecutableFile(atPath: path) else {
            throw MailSettingError("'\(path)', which sends mails, is not a program that can be run")
        }
        return path
    }

    private static func credentials(
        _ url: MailURL,
        _ passwordFile: String?
    ) throws(MailSettingError) -> SMTPServer.Credentials? {
        guard let user = url.user else {
            if passwordFile == nil { return nil }
            throw MailURL.invalid("it contains no user for the password of the file")
        }
        guard let password = try passwordFile.map(password) ?? url.password else {
            throw MailURL.invalid("it contains a user without a password, and no file has the password")
        }
        return SMTPServer.Credentials(user: user, password: password)
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
