import FoundationEssentials

/// Hides the passwords in the values of settings.
enum HiddenSecrets {
    /// Returns the URL of a mail server without a password.
    static func mailURL(_ text: String) -> String {
        let bytes = text.utf8
        guard let start = bytes.firstRange(of: "://".utf8)?.upperBound,
            let at = bytes[start...].lastIndex(of: UInt8(ascii: "@")),
            let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":"))
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
        var shown = text
        let bytes = text.utf8
        if let at = bytes[authority...].prefix(while: { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
            .lastIndex(of: UInt8(ascii: "@")),
            let colon = bytes[authority..<at].firstIndex(of: UInt8(ascii: ":"))
        {
            shown = text[..<colon] + ":…" + text[at...]
        }
        let parameters = shown.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return parameters.map { parameter in
            ["password", "sslpassword"].reduce(String(decoding: parameter, as: UTF8.self)) { parameter, name in
                guard let value = parameter.utf8.firstRange(of: "\(name)=".utf8) else { return parameter }
                return parameter[..<value.upperBound] + "…"
            }
        }.joined(separator: "&")
    }
}
