internal import Accounts
internal import CSodium
package import SQLStatements

/// The number of rows of a table, and a hash of them (BLAKE2b, 256 bits), which depends on their order.
package struct TableDigest: Equatable, Sendable {
    /// The number of rows.
    package private(set) var count = 0
    private var hash = [UInt8](repeating: 0, count: 32)

    /// The digest of an empty table.
    package init() {}

    /// Adds the next rows of the table.
    ///
    /// - Throws: ``HashUnavailable`` if the hash cannot be computed.
    package mutating func add(_ rows: [[SQLValue]]) throws(HashUnavailable) {
        for row in rows { try add(row) }
    }

    private mutating func add(_ row: [SQLValue]) throws(HashUnavailable) {
        // Each hash contains the one before it, and so all rows.
        var input = hash
        for value in row { value.encode(into: &input) }
        let status = crypto_generichash(&hash, hash.count, input, UInt64(input.count), nil, 0)
        guard sodiumHasStarted, status == 0 else { throw HashUnavailable() }
        count += 1
    }
}

/// libsodium cannot compute a hash.
package struct HashUnavailable: Error, CustomStringConvertible {
    package var description: String { "libsodium cannot compute a hash" }
}
