/// The templates of the pages for operators. Their texts are in English, as the facts on the pages are.
package enum OperatorTemplates {
    /// The templates by the names of their pages.
    package static let all: [String: String] = [
        "login": PackageResources.operators_login_mustache, "home": PackageResources.operators_home_mustache,
        "accounts": PackageResources.accounts_mustache, "accountDetails": PackageResources.accountDetails_mustache,
        "sessions": PackageResources.sessions_mustache, "sessionDetails": PackageResources.sessionDetails_mustache,
        "mails": PackageResources.mails_mustache,
    ].mapValues { String(decoding: $0, as: UTF8.self) }
}
