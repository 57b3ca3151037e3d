/// A table and its columns, which are the same in both databases.
package struct TableDescription: Sendable {
    package let name: String
    /// The names of the columns. Those of the key are first.
    package let columns: [String]
    /// The number of columns of the key, at least 1. The rows of a copy are in the order of the key.
    package var keyCount = 1
    /// Whether the database chooses the value of the first column of a new row: a number.
    package var isNumbered = false
    /// The number of rows that are read at once, at least 1: less for tables whose rows can be large.
    package var batchSize = 1_000

    package var key: ArraySlice<String> { columns.prefix(keyCount) }

    package var columnNames: String { columns.joined(separator: ", ") }

    /// The numbers of the parameters for all columns, as a list.
    package var parameters: String { columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ") }

    /// The SQL that reads all columns of rows, in their order. It reads an expression in place of a column that has one.
    func selection(_ expressions: [String: SQLText] = [:]) -> SQLText {
        let values = columns.map { expressions[$0] ?? "\(verbatim: $0)" }
        func text(_ database: (SQLText) -> String) -> String {
            "SELECT \(values.map(database).joined(separator: ", ")) FROM \(name)"
        }
        return SQLText(postgreSQL: text(\.postgreSQL), sqlite: text(\.sqlite))
    }

    /// The SQL that inserts a row. The parameters are the values of its columns.
    var insertion: SQLText { SQLText(stringLiteral: "INSERT INTO \(name) (\(columnNames)) VALUES (\(parameters))") }

    /// The SQL that inserts a row or replaces the one with the same key. The parameters are the values of its columns.
    var upsertion: SQLText {
        let others = columns.dropFirst(keyCount).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "\(insertion) ON CONFLICT (\(verbatim: key.joined(separator: ", "))) DO UPDATE SET \(verbatim: others)"
    }

    /// The SQL that changes the row with a key of one column. The parameters are the values of its columns.
    var update: SQLText {
        let values = columns.enumerated().map { "\($1) = $\($0 + 1)" }
        let others = values.dropFirst().joined(separator: ", ")
        return SQLText(stringLiteral: "UPDATE \(name) SET \(others) WHERE \(values[0])")
    }

    package func key(of row: [SQLValue]) -> [SQLValue] { Array(row.prefix(keyCount)) }

    /// All tables of a database, in an order in which each row follows those that it refers to.
    package static let all =
        [
            AccountTable.description, PasskeyTable.description, RevocationTable.description, ThrottleTable.description,
            DeviceTable.description, ProductTable.description,
        ] + SessionTable.descriptions
        + [EndedSessionTable.description, MailTable.description, AuditTable.description]

    /// The table of a column that the migrations create and that is missing. Returns no row if all are there.
    package static let missingColumn: SQLStatement = {
        let columns =
            all.flatMap { table in table.columns.map { "('\(table.name)', '\($0)')" } }
            + ["('publication', 'token')", "('health', 'key')"]
        let column = SQLText(
            postgreSQL: """
                SELECT FROM pg_attribute
                WHERE attrelid = to_regclass(needed."table") AND attname = needed.name AND NOT attisdropped
                """,
            sqlite: """
                SELECT 1 FROM pragma_table_info(needed."table") AS info WHERE info.name = needed.name
                """
        )
        return SQLStatement(
            "missing column",
            """
            WITH needed ("table", name) AS (
                VALUES \(verbatim: columns.joined(separator: ", "))\(postgreSQL: ", ('session_revocation_counter', 'last')")
            )
            SELECT "table" FROM needed WHERE NOT EXISTS (\(column)) LIMIT 1
            """
        )
    }()
}
