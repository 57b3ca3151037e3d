package import Accounts
package import BusinessLogic
internal import CSodium

/// A record of the audit log in a database.
package struct StoredAuditRecord: Equatable, Sendable {
    /// The position in the chain. Numbers may be missing.
    package let number: Int
    package let time: Timestamp
    package let account: AccountID?
    /// The record as JSON in UTF-8, without a line feed.
    package let line: [UInt8]

    /// The name of the record in the chain: the SHA-256 of its line in hexadecimal digits, as `sha256sum` prints it.
    package var hash: String {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&hash, line, UInt64(line.count))
        return hash.hexadecimalDigits
    }
}
