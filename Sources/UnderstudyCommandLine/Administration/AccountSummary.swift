import Accounts
import BusinessLogic

/// An account with its failed logins, as operators see it: without its password hash.
struct AccountSummary: ObjectValue {
    /// An account in a list.
    static let object = ObjectSchema<AccountSummary>(
        showing: Member("id", \.account.id.text),
        Member("username", \.account.username),
        Member("name", \.account.name),
        Member("created", \.account.created),
        Member("state", \.state)
    )

    let account: Account
    let failures: Int
    let lockedUntil: Timestamp?

    /// `active`, `disabled`, `unconfirmed` or `locked until TIME`.
    var state: String {
        if account.isDisabled { return "disabled" }
        if account.isUnconfirmed { return "unconfirmed" }
        return lockedUntil.map { "locked until \($0.brief)" } ?? "active"
    }

    /// How the password is hashed.
    var password: String { account.passwordParameters ?? "not usable" }

    /// What the account needs besides the password; `nil` if that is nothing.
    var factors: String? {
        let app = account.factors.authenticatorApp == nil ? [] : ["authenticator app"]
        let parts = account.factors.passkeys.map { _ in "passkey" } + app
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// A line for each property.
    var lines: [String] {
        let parts: [(String, String?)] = [
            ("username", account.username), ("name", account.name), ("email", account.email),
            ("confirmed", account.emailConfirmed?.brief),
            ("contact email", account.contactEmail), ("user ID", account.userID), ("id", account.id.text),
            ("created", account.created.brief), ("state", state), ("failed logins", "\(failures)"),
            ("password", password), ("factors", factors), ("roles", roles), ("note", account.note),
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

    /// The account as a JSON object, whose members are sorted. Leaves out what is not known.
    var members: Value.Object {
        Value.Object(known: [
            "contactEmail": Value(account.contactEmail), "created": .string(account.created.text),
            "disabled": .boolean(account.isDisabled), "email": .string(account.email),
            "emailConfirmed": Value(account.emailConfirmed?.text), "failures": Value(failures),
            "id": .string(account.id.text), "lockedUntil": Value(lockedUntil?.text), "name": .string(account.name),
            "note": Value(account.note), "password": Value(account.passwordParameters),
            "roles": account.roles.isEmpty ? .null : account.roles.screenValue,
            "userID": Value(account.userID),
            "username": .string(account.username),
            "factors": account.factors == Factors() ? .null : Value(account.factors),
        ])
    }
}

/// An account as `understudy account show` prints it, with its sessions.
struct ShownAccount: ObjectValue {
    /// What the account is called, and where its owner is reached.
    struct Names: ObjectValue {
        let account: Account

        static let object = ObjectSchema<Names>(
            showing: Member("id", \.account.id.text),
            Member("username", \.account.username),
            Member("name", \.account.name),
            Member("email", \.account.email),
            Member("confirmed", \.account.emailConfirmed),
            Member("contactEmail", \.account.contactEmail),
            Member("userID", \.account.userID)
        )
    }

    /// Whether and how the owner can log in.
    struct Access: ObjectValue {
        let summary: AccountSummary

        static let object = ObjectSchema<Access>(
            showing: Member("created", \.summary.account.created),
            Member("state", \.summary.state),
            Member("isDisabled", \.summary.account.isDisabled),
            Member("failures", \.summary.failures),
            Member("password", \.summary.password),
            Member("factors", \.summary.factors)
        )
    }

    let summary: AccountSummary
    let sessions: [SessionSummary]

    static let object = ObjectSchema<ShownAccount>(
        showing: Member("names") { Names(account: $0.summary.account) },
        Member("access") { Access(summary: $0.summary) },
        Member("note") { $0.summary.account.note ?? "" },
        Member("roles", \.summary.account.roles),
        Member("sessions", \.sessions)
    )
}

extension Value.Object {
    /// The members that are not null.
    init(known members: Value.Object) {
        self = [:]
        for (name, value) in members where value != .null { self[name] = value }
    }
}

extension Timestamp {
    /// The time in UTC, to the second: `2026-07-01T12:00:00Z`.
    var brief: String {
        text.prefix(19) + "Z"
    }
}
