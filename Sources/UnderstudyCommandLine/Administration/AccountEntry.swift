import Accounts
import AccountsDatabase
import BusinessLogic
import FoundationEssentials
import Understudy

/// An account as operators see it, without its password hash.
struct AccountEntry {
    let account: Account
    let failures: Int
    let lockedUntil: Timestamp?

    /// Returns accounts with their failed logins.
    static func entries(_ accounts: [Account], in database: any Database) async throws -> [AccountEntry] {
        let counts = try await database.failureCounts(of: accounts.map(\.id))
        let now = try await database.time
        return accounts.map { account in
            let count = counts[account.id]
            return AccountEntry(
                account: account,
                failures: count?.failures ?? 0,
                lockedUntil: count?.lockedUntil(at: now)
            )
        }
    }

    /// `active`, `disabled`, `unconfirmed` or `locked until TIME`.
    var state: String {
        if account.isDisabled { return "disabled" }
        if account.isUnconfirmed { return "unconfirmed" }
        return lockedUntil.map { "locked until \($0.brief)" } ?? "active"
    }

    /// A line for each property.
    var lines: [String] {
        let parts: [(String, String?)] = [
            ("username", account.username), ("name", account.name), ("email", account.email),
            ("confirmed", account.emailConfirmed?.brief),
            ("contact email", account.contactEmail), ("user ID", account.userID), ("id", account.id.text),
            ("created", account.created.brief), ("state", state), ("failed logins", "\(failures)"),
            ("password", account.passwordParameters ?? "not usable"), ("factors", factors),
            ("roles", roles), ("note", account.note),
        ]
        return parts.compactMap { name, value in
            value.map { "\(name):".padded(to: 15) + $0.printable }
        }
    }

    /// What the account needs besides the password; `nil` if that is nothing.
    var factors: String? {
        let app = account.factors.authenticatorApp == nil ? [] : ["authenticator app"]
        let parts = account.factors.passkeys.map { _ in "passkey" } + app
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The roles in a line; `nil` without any.
    private var roles: String? {
        if account.rolesAreDamaged { return "the stored roles cannot be read: add or remove roles" }
        return account.roles.isEmpty ? nil : account.roles.joined(separator: ", ")
    }

    /// The account as a JSON object, whose members are sorted. Leaves out what is not known.
    var members: Value.Object {
        let members: Value.Object = [
            "contactEmail": Value(account.contactEmail), "created": .string(account.created.text),
            "disabled": .boolean(account.isDisabled), "email": .string(account.email),
            "emailConfirmed": Value(account.emailConfirmed?.text), "failures": Value(failures),
            "id": .string(account.id.text), "lockedUntil": Value(lockedUntil?.text), "name": .string(account.name),
            "note": Value(account.note), "password": Value(account.passwordParameters),
            "roles": account.roles.isEmpty ? .null : .array(account.roles.map { .string($0) }),
            "userID": Value(account.userID),
            "username": .string(account.username),
            "factors": account.factors == Factors() ? .null : Value(account.factors),
        ]
        var known: Value.Object = [:]
        for (name, value) in members where value != .null { known[name] = value }
        return known
    }

    /// The account as one JSON object. It escapes unprintable characters, because owners choose their names.
    var json: String { members.description.escaped }
}

extension Timestamp {
    /// The time in UTC, to the second: `2026-07-01T12:00:00Z`.
    var brief: String {
        text.prefix(19) + "Z"
    }
}
