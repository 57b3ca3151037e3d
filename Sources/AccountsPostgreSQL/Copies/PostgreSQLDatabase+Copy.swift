package import AccountsDatabase

extension PostgreSQLDatabase {
    /// Copies another database to this one, whose tables must be migrated and empty, in one transaction: everything, or nothing. Compares
    /// each row that this database has stored with the one that was read, and the number of rows of each table.
    ///
    /// Meanwhile, no other program can write to the tables. The memory that this needs does not depend on the number of rows.
    ///
    /// - Parameters:
    ///   - deadline: when the copy fails.
    ///   - rows: returns rows of a table of the other database in the order of its key, with a value for each of its columns: those after the row
    ///     with a key, the first ones for `nil`; none if there are no more. It may wait for the disk.
    /// - Returns: the number of rows of each table, in the order of `TableDescription.all`.
    /// - Throws: ``CopyError``; the errors of `rows`; ``PostgreSQLError``. Nothing has changed, except that the result of
    ///   ``PostgreSQLError/outcomeUnknown(reason:)`` is not known.
    @discardableResult
    package func copy(
        deadline: ContinuousClock.Instant = .now + .seconds(30 * 60),
        rows: @Sendable (_ table: TableDescription, _ key: [SQLValue]?) throws -> [[SQLValue]]
    ) async throws -> [(table: TableDescription, count: Int)] {
        try await pool.transaction(deadline: deadline) { transaction in
            try Self.requireEmpty(transaction)
            var counts: [(table: TableDescription, count: Int)] = []
            for table in TableCopyStatements.all {
                counts.append((table.table, try Self.insert(table, rows, transaction)))
            }
            try transaction.execute(TableCopyStatements.continueRevocations())
            // At the end, so that a trigger of one table cannot change another one unnoticed.
            for (table, expected) in zip(TableCopyStatements.all, counts) {
                let count = try transaction.execute(table.count())[0].number(0)
                guard count == expected.count else {
                    throw CopyError.wrongCount(table: table.table.name, expected: expected.count, count: count)
                }
            }
            return counts
        }
    }

    private static func requireEmpty(_ transaction: PostgreSQLTransaction) throws {
        // Each statement sees what was committed before it, and after the lock no other program commits rows.
        let results = try transaction.batch(
            [TableCopyStatements.lock(), TableCopyStatements.deleteAddressKey()]
                + TableCopyStatements.all.map { $0.hasRows() }
        )
        for (table, result) in zip(TableCopyStatements.all, results.dropFirst(2)) where try result[0].boolean(0) {
            throw CopyError.notEmpty(table: table.table.name)
        }
    }

    /// Copies the rows of a table.
    ///
    /// - Returns: the number of rows.
    private static func insert(
        _ table: TableCopyStatements,
        _ rows: (_ table: TableDescription, _ key: [SQLValue]?) throws -> [[SQLValue]],
        _ transaction: PostgreSQLTransaction
    ) throws -> Int {
        var count = 0
        var key: [SQLValue]?
        while case let rows = try rows(table.table, key), let last = rows.last {
            let results = try transaction.batch(rows.map(table.insert))
            for (row, stored) in zip(rows, results) {
                guard try stored.first.map(table.table.values) == row else {
                    throw CopyError.different(table: table.table.name)
                }
            }
            count += rows.count
            key = table.table.key(of: last)
        }
        if let continueNumbers = table.continueNumbers { try transaction.execute(continueNumbers()) }
        return count
    }
}
