import Accounts
import BusinessLogic
import Foundation
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

    /// `active`, `disabled` or `locked until TIME`.
    var state: String {
        if account.isDisabled { return "disabled" }
        return lockedUntil.map { "locked until \($0.brief)" } ?? "active"
    }

    /// A line for each property.
    var lines: [String] {
        let parts: [(String, String?)] = [
            ("username", account.username), ("name", account.name), ("email", account.email),
            ("contact email", account.contactEmail), ("user ID", account.userID), ("id", account.id.text),
            ("created", account.created.brief), ("state", state), ("failed logins", "\(failures)"),
            ("password", account.passwordParameters ?? "not usable"),
        ]
        return parts.compactMap { name, value in
            value.map { "\(name):".padding(toLength: 15, withPad: " ", startingAt: 0) + $0.printable }
        }
    }

    /// Returns the account as one JSON object. It escapes unprintable characters, because owners choose their names.
    func json() throws -> String {
        let members = Members(
            id: account.id.text,
            username: account.username,
            name: account.name,
            email: account.email,
            contactEmail: account.contactEmail,
            userID: account.userID,
            created: account.created.text,
            disabled: account.isDisabled,
            lockedUntil: lockedUntil?.text,
            failures: failures,
            password: account.passwordParameters
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(members), as: UTF8.self).escaped
    }

    private struct Members: Encodable {
        let id, username, name, email: String
        let contactEmail, userID: String?
        let created: String
        let disabled: Bool
        let lockedUntil: String?
        let failures: Int
        let password: String?
    }
}

extension Timestamp {
    /// The time in UTC, to the second: `2026-07-01T12:00:00Z`.
    var brief: String {
        text.prefix(19) + "Z"
    }
}
