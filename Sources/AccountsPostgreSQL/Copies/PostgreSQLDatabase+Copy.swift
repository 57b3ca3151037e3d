package import AccountsDatabase
internal import PostgreSQL
internal import SQLStatements

extension PostgreSQLDatabase {
    /// Copies another database to this one, whose tables must be migrated and empty, in one transaction: everything, or nothing. Before
    /// the commit, reads all rows back, and compares them with those of the source by their number and a hash.
    ///
    /// Meanwhile, no other program can write to the tables. The memory that this needs does not depend on the number of rows.
    ///
    /// - Parameters:
    ///   - source: the other database.
    ///   - deadline: when the copy fails.
    /// - Returns: the number of rows of each table, in the order of `TableDescription.all`.
    /// - Throws: ``CopyError``; the errors of the source; ``/PostgreSQL/PostgreSQLError``. Nothing has changed, except that the result of
    ///   ``/PostgreSQL/PostgreSQLError/outcomeUnknown(reason:)`` is not known.
    @discardableResult
    package func copy(
        from source: some CopySource,
        deadline: ContinuousClock.Instant = .now + .seconds(30 * 60)
    ) async throws -> [(table: TableDescription, count: Int)] {
        try await WriteTransaction.run(pool, deadline: deadline) { transaction in
            try await Self.requireEmpty(transaction)
            var digests: [TableDigest] = []
            for table in TableCopyStatements.all {
                digests.append(try await Self.insert(table, from: source, transaction))
            }
            try await transaction.execute(TableCopyStatements.continueRevocations())
            for (table, digest) in zip(TableCopyStatements.all, digests) {
                try await Self.verify(table, digest, transaction)
            }
            return zip(TableDescription.all, digests).map { ($0, $1.count) }
        }
    }

    private static func requireEmpty(_ transaction: WriteTransaction) async throws {
        // Each statement sees what was committed before it, and after the lock no other program commits rows.
        let results = try await transaction.batch(
            [TableCopyStatements.lock(), TableCopyStatements.deleteAddressKey()]
                + TableCopyStatements.all.map { $0.hasRows() }
        )
        for (table, result) in zip(TableCopyStatements.all, results.dropFirst(2)) where try result[0].boolean(0) {
            throw CopyError.notEmpty(table: table.table.name)
        }
    }

    /// Copies the rows of a table.
    ///
    /// - Returns: the digest of the rows of the source.
    private static func insert(
        _ table: TableCopyStatements,
        from source: some CopySource,
        _ transaction: WriteTransaction
    ) async throws -> TableDigest {
        var digest = TableDigest()
        try await source.forEachBatch(of: table.table) { rows in
            try digest.add(rows)
            try await transaction.batch(rows.map(table.insert))
        }
        if let continueNumbers = table.continueNumbers { try await transaction.execute(continueNumbers()) }
        return digest
    }

    /// Throws if the rows of a table are not those with the digest.
    private static func verify(
        _ table: TableCopyStatements,
        _ expected: TableDigest,
        _ transaction: WriteTransaction
    ) async throws {
        var digest = TableDigest()
        try await transaction.forEachBatch(of: table.table) { try digest.add($0) }
        guard digest == expected else {
            throw CopyError.different(table: table.table.name, expectedCount: expected.count, count: digest.count)
        }
    }
}

extension WriteTransaction: CopySource {
    func rows(of table: TableDescription, after key: [SQLValue]?) async throws -> [[SQLValue]] {
        try await execute(table.select(after: key)).map(table.values)
    }
}
