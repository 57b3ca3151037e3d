import FoundationEssentials

/// Hides the passwords in the values of settings.
enum HiddenSecrets {
    /// Returns the URL of a mail server without a password.
    static func mailURL(_ text: String) -> String {
        guard let start = text.utf8.firstRange(of: "://".utf8)?.upperBound, let at = text[start...].lastIndex(of: "@"),
            let colon = text[start..<at].firstIndex(of: ":")
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
        if let at = text[authority...].prefix(while: { $0 != "/" && $0 != "?" }).lastIndex(of: "@"),
            let colon = text[authority..<at].firstIndex(of: ":")
        {
            shown.replaceSubrange(colon..<at, with: ":…")
        }
        return shown.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            ["password", "sslpassword"].reduce(String(parameter)) { parameter, name in
                guard let value = parameter.utf8.firstRange(of: "\(name)=".utf8) else { return parameter }
                return parameter[..<value.upperBound] + "…"
            }
        }.joined(separator: "&")
    }
}
