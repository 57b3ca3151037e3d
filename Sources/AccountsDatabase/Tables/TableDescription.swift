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

    /// The names of the columns of the key.
    package var key: ArraySlice<String> { columns.prefix(keyCount) }

    /// The names of all columns, as a list.
    package var columnNames: String { columns.joined(separator: ", ") }

    /// The numbers of the parameters for all columns, as a list.
    package var parameters: String { columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ") }

    /// The SQL that reads all columns of rows, in their order.
    ///
    /// - Parameter expressions: what to read instead of a column.
    func selection(_ expressions: [String: SQLText] = [:]) -> SQLText {
        let values = columns.map { expressions[$0] ?? "\(verbatim: $0)" }
        func text(_ database: (SQLText) -> String) -> String {
            "SELECT \(values.map(database).joined(separator: ", ")) FROM \(name)"
        }
        return SQLText(postgreSQL: text(\.postgreSQL), sqlite: text(\.sqlite))
    }

    /// The SQL that inserts a row. The parameters are the values of its columns.
    var insertion: SQLText {
        SQLText(stringLiteral: "INSERT INTO \(name) (\(columnNames)) VALUES (\(parameters))")
    }

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

    /// The key of a row.
    package func key(of row: [SQLValue]) -> [SQLValue] { Array(row.prefix(keyCount)) }
}

extension TableDescription {
    /// All tables of a database, in an order in which each row follows those that it refers to.
    package static let all = [
        account, passkey, revocation, throttle, device, product, addressKey, savedSession, session, sessionEvent,
        replacedSession, endedSession, mail, auditRecord,
    ]

    /// The tables whose rows events change.
    static let updated = [account, throttle, session]

    /// The table of a column that the migrations create and that is missing. Returns no row if all are there.
    package static let missingColumn: SQLStatement = {
        let columns = all.flatMap { table in table.columns.map { "('\(table.name)', '\($0)')" } }
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
            WITH needed ("table", name) AS (VALUES \(verbatim: columns.joined(separator: ", ")))
            SELECT "table" FROM needed WHERE NOT EXISTS (\(column)) LIMIT 1
            """
        )
    }()

    /// The latest revocation of each account's sessions. The numbers of later revocations are greater.
    static let revocation = TableDescription(name: "session_revocation", columns: ["number", "account_id"])

    static let account = TableDescription(
        name: "account",
        columns: [
            "id", "name", "email", "email_key", "username", "username_key", "user_id", "contact_email", "password_hash",
            "created", "is_disabled", "email_confirmed", "factors", "note", "roles",
        ]
    )

    static let passkey = TableDescription(name: "passkey", columns: ["key", "account_id"])

    static let throttle = TableDescription(name: "throttle", columns: ["key", "failures", "last_failure", "refused"])

    static let device = TableDescription(name: "device", columns: ["key", "account_id", "failures", "expires"])

    private static let product = TableDescription(
        name: "product",
        columns: ["position", "name_key", "name", "description", "image"],
        isNumbered: true
    )

    private static let addressKey = TableDescription(name: "address_key", columns: ["id", "key"])

    static let savedSession = TableDescription(
        name: "saved_session",
        columns: ["id", "account_id", "created", "last_used", "revocation", "content", "address", "key"],
        batchSize: 100
    )

    private static let session = TableDescription(
        name: "session",
        columns: [
            "number", "id", "version", "account_id", "created", "last_used", "content", "address", "size", "key",
        ],
        isNumbered: true,
        batchSize: 100
    )

    private static let sessionEvent = TableDescription(
        name: "session_event",
        columns: ["session", "version", "token", "content"],
        keyCount: 2,
        batchSize: 100
    )

    static let replacedSession = TableDescription(
        name: "replaced_session",
        columns: ["id", "expires", "response"],
        batchSize: 100
    )

    private static let endedSession = TableDescription(name: "ended_session", columns: ["key", "attempts", "due"])

    static let mail = TableDescription(
        name: "mail",
        columns: [
            "number", "id", "recipient", "subject", "text", "html", "expires", "queued", "attempts", "due",
            "claimed_until", "failed", "reason",
        ],
        isNumbered: true,
        batchSize: 100
    )

    static let auditRecord = TableDescription(
        name: "audit_record",
        columns: ["number", "time", "account_id", "line"],
        isNumbered: true
    )
}
