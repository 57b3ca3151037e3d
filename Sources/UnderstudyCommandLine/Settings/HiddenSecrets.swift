/// Hides the passwords in the values of settings.
enum HiddenSecrets {
    /// Returns the URL of a mail server without a password.
    static func mailURL(_ text: String) -> String { hiding(/(?s)(:\/\/[^:]*:).*(?=@)/, in: text) }

    /// Whether the name of a database is a URI of PostgreSQL. Otherwise, it is the path of a file.
    static func isDatabaseURI(_ name: String) -> Bool {
        name.hasPrefix("postgresql://") || name.hasPrefix("postgres://")
    }

    /// Returns the name of a database without a password.
    static func database(_ text: String) -> String {
        guard isDatabaseURI(text) else { return text }
        // That of the user, and the parameters 'password' and 'sslpassword'.
        return hiding(/(password=)[^&]*/, in: hiding(/(:\/\/[^:\/?]*:)[^\/?]*(?=@)/, in: text))
    }

    /// Returns the text with an ellipsis in place of what follows the group of the pattern.
    private static func hiding(_ pattern: Regex<(Substring, Substring)>, in text: String) -> String {
        text.replacing(pattern.matchingSemantics(.unicodeScalar)) { "\($0.1)…" }
    }
}
