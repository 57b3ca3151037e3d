/// A table and its columns, which are the same in both databases.
package struct TableDescription: Sendable {
    package let name: String
    /// The columns. Those of the key are first.
    package let columns: [Column]
    /// The number of columns of the key, at least 1. The rows of a copy are in the order of the key.
    package var keyCount = 1
    /// The number of rows that are read at once, at least 1: less for tables whose rows can be large.
    package var batchSize = 1_000

    /// A column.
    package struct Column: Sendable {
        package let name: String
        package let type: ColumnType
        /// Whether the database chooses the value of a new row.
        package let isGenerated: Bool
    }

    /// What a column contains, or null.
    package enum ColumnType: Sendable {
        /// An integer of 64 bits.
        case integer
        /// A text without U+0000. Texts are ordered by their bytes in UTF-8.
        case text
        /// Bytes.
        case bytes
        /// A Boolean value.
        case boolean
    }

    /// The columns of the key.
    package var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// The values of a row with all columns of the table.
    package func values(_ row: SQLRow) throws -> [SQLValue] {
        try columns.enumerated().map { index, column in
            let value: SQLValue? =
                switch column.type {
                case .integer: try row.optionalInteger(index).map { .integer($0) }
                case .boolean: try row.optionalBoolean(index).map { .boolean($0) }
                case .text: try row.optionalText(index).map { .text($0) }
                case .bytes: try row.optionalBytes(index).map { .bytes($0) }
                }
            return value ?? .null
        }
    }

    /// The names of all columns, as a list.
    package var columnNames: String { Self.list(columns) }

    private static func list(_ columns: some Sequence<Column>) -> String {
        columns.map(\.name).joined(separator: ", ")
    }

    /// The SQL that reads all columns of rows, in their order.
    ///
    /// - Parameter expressions: what to read instead of a column.
    func selection(_ expressions: [String: SQLText] = [:]) -> SQLText {
        let values = columns.map { expressions[$0.name] ?? "\(verbatim: $0.name)" }
        func text(_ database: (SQLText) -> String) -> String {
            "SELECT \(values.map(database).joined(separator: ", ")) FROM \(name)"
        }
        return SQLText(postgreSQL: text(\.postgreSQL), sqlite: text(\.sqlite))
    }

    /// The SQL that inserts a row. The parameters are the values of its columns.
    var insertion: SQLText {
        let values = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return SQLText(stringLiteral: "INSERT INTO \(name) (\(columnNames)) VALUES (\(values))")
    }

    /// The SQL that inserts a row or replaces the one with the same key. The parameters are the values of its columns.
    var upsertion: SQLText {
        let others = columns.dropFirst(keyCount).map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
        return "\(insertion) ON CONFLICT (\(verbatim: Self.list(key))) DO UPDATE SET \(verbatim: others)"
    }

    /// The SQL that changes the row with a key of one column. The parameters are the values of its columns.
    var update: SQLText {
        let values = columns.enumerated().map { "\($1.name) = $\($0 + 1)" }
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

    /// The latest revocation of each account's sessions. The numbers of later revocations are greater.
    package static let revocation = TableDescription(
        name: "session_revocation",
        columns: [.integer("number"), .text("account_id")]
    )

    static let account = TableDescription(
        name: "account",
        columns: [
            .text("id"), .text("name"), .text("email"), .text("email_key"), .text("username"), .text("username_key"),
            .text("user_id"), .text("contact_email"), .text("password_hash"), .integer("created"),
            .boolean("is_disabled"), .integer("email_confirmed"), .text("factors"),
            .text("note"), .text("roles"),
        ]
    )

    static let passkey = TableDescription(name: "passkey", columns: [.bytes("key"), .text("account_id")])

    static let throttle = TableDescription(
        name: "throttle",
        columns: [.text("key"), .integer("failures"), .integer("last_failure"), .integer("refused")]
    )

    static let device = TableDescription(
        name: "device",
        columns: [.bytes("key"), .text("account_id"), .integer("failures"), .integer("expires")]
    )

    private static let product = TableDescription(
        name: "product",
        columns: [.generated("position"), .text("name_key"), .text("name"), .text("description"), .text("image")]
    )

    private static let addressKey = TableDescription(name: "address_key", columns: [.integer("id"), .bytes("key")])

    static let savedSession = TableDescription(
        name: "saved_session",
        columns: [
            .bytes("id"), .text("account_id"), .integer("created"), .integer("last_used"), .integer("revocation"),
            .bytes("content"), .bytes("address"), .text("key"),
        ],
        batchSize: 100
    )

    private static let session = TableDescription(
        name: "session",
        columns: [
            .generated("number"), .bytes("id"), .integer("version"), .text("account_id"), .integer("created"),
            .integer("last_used"), .bytes("content"), .bytes("address"), .integer("size"), .text("key"),
        ],
        batchSize: 100
    )

    private static let sessionEvent = TableDescription(
        name: "session_event",
        columns: [.integer("session"), .integer("version"), .bytes("token"), .bytes("content")],
        keyCount: 2,
        batchSize: 100
    )

    static let replacedSession = TableDescription(
        name: "replaced_session",
        columns: [.bytes("id"), .integer("expires"), .bytes("response")],
        batchSize: 100
    )

    private static let endedSession = TableDescription(
        name: "ended_session",
        columns: [.text("key"), .integer("attempts"), .integer("due")]
    )

    static let mail = TableDescription(
        name: "mail",
        columns: [
            .generated("number"), .text("id"), .text("recipient"), .text("subject"), .text("text"), .text("html"),
            .integer("expires"), .integer("queued"), .integer("attempts"), .integer("due"), .integer("claimed_until"),
            .integer("failed"), .text("reason"),
        ],
        batchSize: 100
    )

    static let auditRecord = TableDescription(
        name: "audit_record",
        columns: [.generated("number"), .integer("time"), .text("account_id"), .text("line")]
    )
}

extension TableDescription.Column {
    fileprivate static func integer(_ name: String) -> Self { Self(name: name, type: .integer, isGenerated: false) }
    fileprivate static func generated(_ name: String) -> Self { Self(name: name, type: .integer, isGenerated: true) }
    fileprivate static func text(_ name: String) -> Self { Self(name: name, type: .text, isGenerated: false) }
    fileprivate static func bytes(_ name: String) -> Self { Self(name: name, type: .bytes, isGenerated: false) }
    fileprivate static func boolean(_ name: String) -> Self { Self(name: name, type: .boolean, isGenerated: false) }
}
