import Accounts
import AccountsDatabase
import BusinessLogic

/// The last login of an account that failed.
struct LastFailure {
    let time: Timestamp
    /// The IP address of the client; `nil` if it is not known.
    var address: String?
    /// Why it failed, as the audit log names it; `nil` if it is not known.
    var reason: String?

    /// Returns the last failed login that the audit log contains. Otherwise, returns the last one since the last successful login,
    /// of which only the time is known; `nil` if there was none.
    static func find(_ account: AccountID, in database: any Database) async throws -> LastFailure? {
        var last: LastFailure?
        try await database.forEachAuditRecord(of: account) { record in
            guard let members = try? JSONReader.read(record.line).object,
                members["event"]?.string == AuditEvent.Kind.loginFailed.rawValue
            else { return }
            last = LastFailure(
                time: record.time,
                address: members["address"]?.string,
                reason: members["reason"]?.string
            )
        }
        if let last { return last }
        return try await database.failureCounts(of: [account])[account]?.lastFailure.map { LastFailure(time: $0) }
    }

    /// The time, with the address and the reason if they are known.
    var text: String { time.brief + (address.map { " from \($0)" } ?? "") + (reason.map { ": \($0)" } ?? "") }

    /// The same as a JSON object.
    var value: Value {
        var members: Value.Object = [:]
        members["address"] = address.map { .string($0) }
        members["reason"] = reason.map { .string($0) }
        members["time"] = .string(time.text)
        return .object(members)
    }
}
