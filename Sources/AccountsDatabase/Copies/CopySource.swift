/// A database at one moment, whose tables can be copied. Its methods wait for the disk.
package protocol CopySource: Sendable {
    /// Returns rows of a table in the order of its key, with a value for each of its columns.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - key: the key of the last row of the batch before; `nil` for the first batch.
    /// - Returns: at most `batchSize` rows; none if there are no more.
    func rows(of table: TableDescription, after key: [SQLValue]?) throws -> [[SQLValue]]
}

extension CopySource {
    /// Calls `body` with all rows of a table, in batches.
    package func forEachBatch(
        of table: TableDescription,
        _ body: ([[SQLValue]]) throws -> Void
    ) throws {
        var key: [SQLValue]?
        while true {
            let rows = try rows(of: table, after: key)
            guard let last = rows.last else { return }
            try body(rows)
            key = table.key(of: last)
        }
    }
}
