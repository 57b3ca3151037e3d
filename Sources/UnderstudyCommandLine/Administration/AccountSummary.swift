import Accounts
import BundledControllers
import BusinessLogic

/// An account with its failed logins, as operators see it: without its password hash.
struct AccountSummary: ObjectValue {
    static let object = ObjectSchema(
        showing: Member<Self, String>("id", \.account.id.text),
        Member<Self, String>("username", \.account.username),
        Member<Self, String>("name", \.account.name),
        Member<Self, String>("email", \.account.email),
        Member<Self, Timestamp?>("emailConfirmed", \.account.emailConfirmed),
        Member<Self, String?>("contactEmail", \.account.contactEmail),
        Member<Self, String?>("userID", \.account.userID),
        Member<Self, Timestamp>("created", \.account.created),
        Member<Self, String>("state", \.state),
        Member<Self, Bool>("disabled", \.account.isDisabled),
        Member<Self, Int>("failures", \.failures.failures),
        Member<Self, Timestamp?>("lastFailure", \.failures.lastFailure),
        Member<Self, Timestamp?>("lockedUntil", \.lockedUntil),
        Member<Self, String>("password", \.password),
        Member<Self, Value?>("factors", \.factors),
        Member<Self, String?>("secondFactors", \.secondFactors),
        Member<Self, String>("note", \.note),
        Member<Self, [String]>("roles", \.account.roles)
    )

    let account: Account
    /// The failed logins since the last successful one.
    let failures: FailureCount
    let lockedUntil: Timestamp?

    /// `active`, `disabled`, `unconfirmed` or `locked until TIME`.
    var state: String {
        if account.isDisabled { return "disabled" }
        if account.isUnconfirmed { return "unconfirmed" }
        return lockedUntil.map { "locked until \($0.brief)" } ?? "active"
    }

    /// How the password is hashed.
    private var password: String { account.passwordParameters ?? "not usable" }

    /// The factors without their secrets; `nil` if there are none.
    private var factors: Value? {
        let shown = account.factors.shown
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

    /// Not `nil` without a note, because that would leave the former one in the control of a browser.
    private var note: String { account.note ?? "" }

    /// A line for each property.
    var lines: [String] {
        let parts: [(String, String?)] = [
            ("username", account.username), ("name", account.name), ("email", account.email),
            ("confirmed", account.emailConfirmed?.brief),
            ("contact email", account.contactEmail), ("user ID", account.userID), ("id", account.id.text),
            ("created", account.created.brief), ("state", state), ("failed logins", "\(failures.failures)"),
            ("last failure", failures.lastFailure?.brief), ("password", password), ("factors", secondFactors),
            ("roles", roles), ("note", account.note),
        ]
        return parts.compactMap { name, value in
            value.map { "\(name):".padded(to: 15) + $0.printable }
        }
    }

    /// The roles in a line; `nil` without any.
    private var roles: String? {
        if account.rolesAreDamaged { return "the stored roles cannot be read: add or remove roles" }
        return account.roles.isEmpty ? nil : account.roles.joined(separator: ", ")
    }
}

extension Timestamp {
    /// The time in UTC, to the second: `2026-07-01T12:00:00Z`.
    var brief: String {
        text.prefix(19) + "Z"
    }
}
