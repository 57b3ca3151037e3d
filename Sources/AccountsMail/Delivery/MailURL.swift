internal import Addresses
internal import BusinessLogic

/// The URL of an SMTP server, in parts: `smtps://USER:PASSWORD@HOST:PORT`.
struct MailURL {
    let isTLS: Bool
    let user: String?
    let password: String?
    /// A name or an IP address, without brackets.
    let host: String
    let port: UInt16

    /// - Throws: an error that contains neither the user nor the password.
    init(_ text: String) throws(MailSettingError) {
        guard let scheme = ["smtps://", "smtp://"].first(where: text.lowercased().hasPrefix) else {
            throw Self.invalid("it does not begin with smtp:// or smtps://")
        }
        isTLS = scheme == "smtps://"
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.contains(where: "/?#".contains) else {
            throw Self.invalid("something follows the port. Special characters of the password need the form %2F")
        }
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = try Self.decode(parts[0], "user")
            password = parts.count == 2 ? try Self.decode(parts[1], "password") : nil
            rest = rest[rest.index(after: at)...]
        } else {
            (user, password) = (nil, nil)
        }
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map(rest.index(after:)) : rest.firstIndex(of: ":")
        host = try Self.host(rest[..<(end ?? rest.endIndex)])
        port = try Self.port(rest[(end ?? rest.endIndex)...]) ?? (isTLS ? 465 : 587)
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

    static func invalid(_ reason: String) -> MailSettingError {
        MailSettingError(
            """
            the URL of the mail server is invalid: \(reason). Expected smtp://USER:PASSWORD@HOST:PORT, or the same with \
            smtps://, with % before the hexadecimal code of each special character
            """
        )
    }
}
