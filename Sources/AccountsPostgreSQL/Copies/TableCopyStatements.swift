internal import AccountsDatabase

/// The SQL that copies a table.
struct TableCopyStatements {
    let table: TableDescription
    /// Whether the table has a row.
    let hasRows: SQLStatement
    /// The number of rows.
    let count: SQLStatement
    private let insertStatement: SQLStatement
    /// Makes the next generated number greater than all others; `nil` if the table has no column of generated numbers.
    let continueNumbers: SQLStatement?

    /// All tables, in the order in which they are copied.
    static let all = TableDescription.all.map(TableCopyStatements.init)

    /// Rejects writes to all tables until the end of the transaction, and waits for those that are not committed yet.
    static let lock = SQLStatement(
        "lock tables",
        postgreSQL: """
            LOCK TABLE \(TableDescription.all.map(\.name).joined(separator: ", ")), session_revocation_counter
            IN SHARE ROW EXCLUSIVE MODE
            """
    )

    /// Deletes the key that a server has created when it started. Only sessions depend on it.
    static let deleteAddressKey = SQLStatement("delete address key", postgreSQL: "DELETE FROM address_key")

    /// Makes the numbers of later revocations greater than those of all revocations in the table.
    static let continueRevocations = SQLStatement(
        "continue revocations",
        postgreSQL: """
            UPDATE session_revocation_counter
            SET last = greatest(last, (SELECT max(number) FROM session_revocation))
            """
    )

    private init(_ table: TableDescription) {
        self.table = table
        let name = table.name
        let columns = table.columnNames
        let values = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        hasRows = SQLStatement("copy any \(name)", postgreSQL: "SELECT EXISTS (SELECT FROM \(name))")
        count = SQLStatement("count \(name)", postgreSQL: "SELECT count(*) FROM \(name)")
        insertStatement = SQLStatement(
            "copy \(name)",
            postgreSQL: """
                INSERT INTO \(name) (\(columns)) OVERRIDING SYSTEM VALUE VALUES (\(values)) RETURNING \(columns)
                """
        )
        continueNumbers = table.columns.first(where: \.isGenerated).map { column in
            SQLStatement(
                "continue \(name)",
                postgreSQL: """
                    SELECT setval(pg_get_serial_sequence('\(name)', '\(column.name)'), max(\(column.name)))
                    FROM \(name) HAVING count(*) > 0
                    """
            )
        }
    }

    /// Inserts a row, and returns it as it was stored.
    func insert(_ row: [SQLValue]) -> SQLStep { SQLStep(insertStatement, row) }
}
