package import AccountsDatabase

extension PostgreSQLDatabase {
    /// Copies another database to this one, whose tables must be migrated and empty, in one transaction: everything, or nothing. Compares
    /// each row that this database has stored with the one that was read, and the number of rows of each table. Meanwhile, no other program
    /// can write to the tables. The memory that this needs does not depend on the number of rows.
    ///
    /// `rows` returns rows of a table in the order of its key: those after the row with a key, the first ones for `nil`; none if there are no
    /// more. It may wait for the disk. The result has the order of `TableDescription.all`. After an error, nothing has changed, except that
    /// the result of ``PostgreSQLError/outcomeUnknown(reason:)`` is not known.
    @discardableResult
    package func copy(
        deadline: ContinuousClock.Instant = .now + .seconds(30 * 60),
        rows: @Sendable (_ table: TableDescription, _ key: [SQLValue]?) throws -> [[SQLValue]]
    ) async throws -> [(table: TableDescription, count: Int)] {
        try await pool.transaction(deadline: deadline) { transaction in
            // Each statement sees what was committed before it, and after the lock no other program commits rows.
            try transaction.batch([Self.lockTables(), Self.deleteAddressKey()])
            for table in TableDescription.all where try Self.count(table, transaction) > 0 {
                throw CopyError.notEmpty(table: table.name)
            }
            let counts = try TableDescription.all.map { ($0, try Self.insert($0, rows, transaction)) }
            try transaction.execute(Self.continueRevocations())
            // At the end, so that a trigger of one table cannot change another one unnoticed.
            for (table, expected) in counts {
                let count = try Self.count(table, transaction)
                if count != expected { throw CopyError.wrongCount(table: table.name, expected: expected, count: count) }
            }
            return counts
        }
    }

    private static func count(_ table: TableDescription, _ transaction: PostgreSQLTransaction) throws -> Int {
        let count = SQLStatement("count \(table.name)", postgreSQL: "SELECT count(*) FROM \(table.name)")
        return try transaction.execute(count())[0].number(0)
    }

    /// Copies the rows of a table, and returns their number.
    private static func insert(
        _ table: TableDescription,
        _ rows: (_ table: TableDescription, _ key: [SQLValue]?) throws -> [[SQLValue]],
        _ transaction: PostgreSQLTransaction
    ) throws -> Int {
        let insert = SQLStatement(
            "copy \(table.name)",
            postgreSQL: """
                INSERT INTO \(table.name) (\(table.columnNames)) OVERRIDING SYSTEM VALUE VALUES (\(table.parameters))
                RETURNING \(table.columnNames)
                """
        )
        var count = 0
        var key: [SQLValue]?
        while case let rows = try rows(table, key), let last = rows.last {
            let stored = try transaction.batch(rows.map { SQLStep(insert, $0) }).map { try $0.first?.all() }
            guard stored == rows else { throw CopyError.different(table: table.name) }
            count += rows.count
            key = table.key(of: last)
        }
        if table.isNumbered, count > 0 {
            let continueNumbers = SQLStatement(
                "continue \(table.name)",
                postgreSQL: """
                    SELECT setval(pg_get_serial_sequence('\(table.name)', '\(table.columns[0])'), max(\(table.columns[0])))
                    FROM \(table.name)
                    """
            )
            try transaction.execute(continueNumbers())
        }
        return count
    }

    /// Rejects writes to all tables until the end of the transaction, and waits for those that are not committed yet.
    private static let lockTables = SQLStatement(
        "lock tables",
        postgreSQL: """
            LOCK TABLE \(TableDescription.all.map(\.name).joined(separator: ", ")), session_revocation_counter
            IN SHARE ROW EXCLUSIVE MODE
            """
    )

    /// Deletes the key that a server has created when it started. Only sessions depend on it.
    private static let deleteAddressKey = SQLStatement("delete address key", postgreSQL: "DELETE FROM address_key")

    /// Makes the numbers of later revocations greater than those of all revocations in the table.
    private static let continueRevocations = SQLStatement(
        "continue revocations",
        postgreSQL: """
            UPDATE session_revocation_counter
            SET last = greatest(last, (SELECT max(number) FROM session_revocation))
            """
    )
}

/// Why a database cannot be copied to PostgreSQL. Then the target has not changed.
package enum CopyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The target contains rows.
    case notEmpty(table: String)
    /// The target has stored another row than the one that it got, or none.
    case different(table: String)
    /// The target contains fewer or more rows than were copied.
    case wrongCount(table: String, expected: Int, count: Int)

    package var description: String {
        switch self {
        case .notEmpty(let table):
            "the table '\(table)' has rows; copy to an empty database, so that nothing is overwritten"
        case .different(let table):
            """
            a row of the table '\(table)' differs from the one that was copied; see whether the database has triggers or rules that are not \
            Understudy's
            """
        case .wrongCount(let table, let expected, let count):
            "the table '\(table)' has \(count) rows instead of \(expected)"
        }
    }
}
