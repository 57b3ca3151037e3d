package import UnderstudyPages

/// The templates of the pages for operators.
package enum OperatorTemplates {
    /// The templates by the names of their pages.
    package static let all: [String: String] = [
        "login": PackageResources.operators_login_mustache, "home": PackageResources.operators_home_mustache,
        "accounts": PackageResources.accounts_mustache, "accountDetails": PackageResources.accountDetails_mustache,
        "sessions": PackageResources.sessions_mustache, "sessionDetails": PackageResources.sessionDetails_mustache,
        "mails": PackageResources.mails_mustache,
    ].mapValues { String(decoding: $0, as: UTF8.self) }
}

extension Translations {
    /// The texts of the pages for operators, and of their messages.
    package static let operators: Translations = {
        do {
            return try Translations(catalog: PackageResources.Localizable_xcstrings).completed
        } catch {
            preconditionFailure("Localizable.xcstrings: \(error)")
        }
    }()
}
