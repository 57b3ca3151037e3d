import AccountsPostgreSQL

/// Hides the passwords in the values of settings.
enum HiddenSecrets {
    static func mailURL(_ text: String) -> String {
        text.replacing(/(?s)(:\/\/[^:]*:).*(?=@)/.matchingSemantics(.unicodeScalar)) { "\($0.1)…" }
    }

    static func database(_ name: String) -> String {
        PostgreSQLConfiguration.isURI(name) ? PostgreSQLConfiguration.redacted(uri: name) : name
    }
}
