import Accounts
import BundledControllers
import BusinessLogic

/// An account with its failed logins, as operators see it: without its password hash.
struct AccountSummary: ObjectValue {
    static let object = ObjectSchema<AccountSummary>(
        showing: Account.object,
        of: \.account,
        Member("state", \.state),
        Member("failures", \.failures.failures),
        Member("lastFailure", \.failures.lastFailure),
        Member("lockedUntil", \.lockedUntil),
        Member("password", \.password),
        Member("factors", \.factors),
        Member("secondFactors", \.secondFactors)
    )

    let account: Account
    let failures: FailureCount
    let lockedUntil: Timestamp?

    /// `active`, `disabled`, `unconfirmed` or `locked until TIME`.
    var state: String {
        if account.isDisabled { return "disabled" }
        if account.isUnconfirmed { return "unconfirmed" }
        return lockedUntil.map { "locked until \($0.brief)" } ?? "active"
    }

    private var password: String { account.passwordParameters ?? "not usable" }

    /// The factors without their secrets; `nil` if there are none.
    private var factors: Value? {
        let shown = account.factors.shown()
        return account.factors == Factors()
            ? nil
            : [
                "passkeys": shown.passkeys.screenValue, "authenticatorApp": shown.authenticatorApp.screenValue,
                "recoveryCodes": Value(shown.recoveryCodes),
            ]
    }

    /// What the account needs besides the password; `nil` if that is nothing.
    private var secondFactors: String? {
        let app = account.factors.authenticatorApp == nil ? [] : ["authenticator app"]
        let parts = account.factors.passkeys.map { _ in "passkey" } + app
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    var lines: [String] {
        let properties: [(name: String, text: String?)] =
            account.properties + [
                ("state", state), ("failed logins", "\(failures.failures)"),
                ("last failure", failures.lastFailure?.brief), ("password", password), ("factors", secondFactors),
            ]
        return properties.compactMap { name, text in text.map { "\(name):".padded(to: 15) + $0.printable } }
    }
}

/// The rules for accounts that operators add: the same as for sign-up.
enum AccountRules {
    /// Throws an ``AccountRejection``, which describes what is wrong.
    static func check(email: String?, name: String? = nil, username: String? = nil, userID: String? = nil) throws {
        if let name { try AccountText.name.check(name) }
        if let email { try AccountText.email.check(email) }
        if let username { try AccountText.username.check(username) }
        if let email, !EmailValidator().isValid(email: email) {
            throw CommandError("'\(email)' is not an email address")
        }
        if name?.isEmpty == true { throw CommandError("the name is empty") }
        if let userID, !UserIDValidator().isValid(userID: userID) {
            throw CommandError("the user ID must have exactly twelve digits")
        }
    }

    static func check(_ password: String, for account: Account, _ policy: any PasswordPolicy) throws {
        guard !password.isEmpty else { throw CommandError("the password is empty") }
        try AccountText.password.check(password)
        let objection = policy.objection(
            to: password,
            name: account.name,
            username: account.username,
            email: account.email,
            userID: account.userID
        )
        guard let message = objection else { return }
        throw CommandError(message.text.prefix(1).lowercased() + message.text.dropFirst())
    }
}

/// A reason why a change of an account is not possible, as a sentence for the operator.
protocol AccountRejection: Error {}
extension AccountConflict: AccountRejection {}
extension AccountTextError: AccountRejection {}
extension RoleError: AccountRejection {}
extension CommandError: AccountRejection {}
