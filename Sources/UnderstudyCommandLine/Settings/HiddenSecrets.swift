import AccountsPostgreSQL

/// Hides the passwords in the values of settings.
enum HiddenSecrets {
    /// Returns the URL of a mail server without a password.
    static func mailURL(_ text: String) -> String {
        text.replacing(/(?s)(:\/\/[^:]*:).*(?=@)/.matchingSemantics(.unicodeScalar)) { "\($0.1)…" }
    }

    /// Returns the name of a database without a password.
    static func database(_ name: String) -> String {
        PostgreSQLConfiguration.isURI(name) ? PostgreSQLConfiguration.redacted(uri: name) : name
    }
}
