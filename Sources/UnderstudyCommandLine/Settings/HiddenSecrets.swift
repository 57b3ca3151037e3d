import FoundationEssentials

/// Hides the passwords in the values of settings.
enum HiddenSecrets {
    /// Returns the URL of a mail server without a password.
    static func mailURL(_ text: String) -> String {
        guard let start = text.utf8.firstRange(of: "://".utf8)?.upperBound else { return text }
        return withoutPassword(text, in: start..<text.endIndex)
    }

    /// Returns a URL without the password before the last `@` of a part.
    private static func withoutPassword(_ text: String, in part: Range<String.Index>) -> String {
        guard let at = text.utf8[part].lastIndex(of: UInt8(ascii: "@")),
            let colon = text.utf8[part.lowerBound..<at].firstIndex(of: UInt8(ascii: ":"))
        else { return text }
        return text[..<colon] + ":…" + text[at...]
    }

    /// Whether the name of a database is a URI of PostgreSQL. Otherwise, it is the path of a file.
    static func isDatabaseURI(_ name: String) -> Bool {
        name.hasPrefix("postgresql://") || name.hasPrefix("postgres://")
    }

    /// Returns the name of a database without a password.
    static func database(_ text: String) -> String {
        guard isDatabaseURI(text), let authority = text.utf8.firstRange(of: "//".utf8)?.upperBound else {
            return text
        }
        let end = text.utf8[authority...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let shown = withoutPassword(text, in: authority..<(end ?? text.endIndex))
        let parameters = shown.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return parameters.map { parameter in
            ["password", "sslpassword"].reduce(String(decoding: parameter, as: UTF8.self)) { parameter, name in
                guard let value = parameter.utf8.firstRange(of: "\(name)=".utf8) else { return parameter }
                return parameter[..<value.upperBound] + "…"
            }
        }.joined(separator: "&")
    }
}
