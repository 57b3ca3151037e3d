package import Accounts
package import BusinessLogic

/// A record of the audit log in a database.
package struct StoredAuditRecord: Equatable, Sendable {
    /// The position in the chain. Numbers may be missing.
    package let number: Int
    package let time: Timestamp
    package let account: AccountID?
    /// The record as JSON in UTF-8, without a line feed.
    package let line: [UInt8]

    package init(number: Int, time: Timestamp, account: AccountID?, line: [UInt8]) {
        self.number = number
        self.time = time
        self.account = account
        self.line = line
    }
}
