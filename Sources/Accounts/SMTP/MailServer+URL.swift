internal import Addresses
internal import BusinessLogic
internal import FoundationEssentials

extension MailServer {
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
        guard let scheme = ["smtps://", "smtp://"].first(where: url.lowercased().hasPrefix) else {
            throw Self.invalid("it does not begin with smtp:// or smtps://")
        }
        var rest = url.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.contains(where: "/?#".contains) else {
            throw Self.invalid("something follows the port. Special characters of the password need the form %2F")
        }
        let at = rest.lastIndex(of: "@")
        let credentials = try Self.credentials(at.map { rest[..<$0] }, passwordFile)
        if let at { rest = rest[rest.index(after: at)...] }
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map(rest.index(after:)) : rest.firstIndex(of: ":")
        let host = try Self.host(rest[..<(end ?? rest.endIndex)])
        let isTLS = scheme == "smtps://"
        self.init(
            host: host,
            port: try Self.port(rest[(end ?? rest.endIndex)...]) ?? (isTLS ? 465 : 587),
            security: isTLS ? .tls : Self.isLoopback(host) ? .none : .startTLS,
            credentials: credentials,
            authorities: authorities
        )
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw MailSettingError("the certificates of authorities in '\(authorities)' cannot be read")
        }
    }

    /// Whether a host is this machine, by its name or address.
    private static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true
    }
}

/// The parts of a URL such as `smtps://USER:PASSWORD@HOST:PORT`. No error contains the user or the password.
extension MailServer {
    /// - Parameter text: the user and the password, as in the URL; `nil` if it contains no `@`.
    private static func credentials(
        _ text: Substring?,
        _ passwordFile: String?
    ) throws(MailSettingError) -> Credentials? {
        guard let text else {
            if passwordFile == nil { return nil }
            throw invalid("it contains no user for the password of the file")
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let user = try decode(parts[0], "user")
        let own = parts.count == 2 ? try decode(parts[1], "password") : nil
        guard let password = try passwordFile.map(password) ?? own else {
            throw invalid("it contains a user without a password, and no file has the password")
        }
        return Credentials(user: user, password: password)
    }

    private static func host(_ text: Substring) throws(MailSettingError) -> String {
        if text.hasPrefix("[") {
            let address = text.dropFirst().dropLast()
            guard text.hasSuffix("]"), address.contains(":"), IPAddress(String(address)) != nil else {
                throw invalid("the brackets contain no IPv6 address")
            }
            return String(address)
        }
        guard !text.isEmpty else { throw invalid("it contains no host") }
        guard text.utf8.count <= 253, text.utf8.allSatisfy(isPartOfName) else {
            throw invalid("the host contains a character that names of hosts do not contain, or is too long")
        }
        return String(text)
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

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "-._".utf8.contains(byte)
    }

    /// Returns `nil` for an empty text.
    private static func port(_ text: Substring) throws(MailSettingError) -> UInt16? {
        guard !text.isEmpty else { return nil }
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), digits.allSatisfy(\.isWholeNumber), let port = UInt16(digits), port > 0 else {
            throw invalid("the port is not a number from 1 to 65535")
        }
        return port
    }

    /// Decodes `%` and two hexadecimal digits.
    private static func decode(_ text: Substring, _ part: String) throws(MailSettingError) -> String {
        var (bytes, rest) = ([UInt8](), text.utf8[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = rest.prefix(2)
                let isHexadecimal = digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
                guard isHexadecimal, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                    throw invalid("no two hexadecimal digits follow a % in the \(part)")
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !decoded.containsControlCharacter else {
            throw invalid("the \(part) is not text in UTF-8 without control characters")
        }
        guard !decoded.isEmpty else { throw invalid("the \(part) is empty") }
        return decoded
    }

    private static func invalid(_ reason: String) -> MailSettingError {
        MailSettingError(
            """
            the URL of the mail server is invalid: \(reason). Expected smtp://USER:PASSWORD@HOST:PORT, or the same with \
            smtps://, with % before the hexadecimal code of each special character
            """
        )
    }
}
