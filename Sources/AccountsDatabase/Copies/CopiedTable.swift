/// A table that a copy of a database contains, in the form that all databases share.
package struct CopiedTable: Hashable, Sendable {
    /// The name in PostgreSQL. Other databases may name the table differently.
    package let name: String
    /// The columns, which have the same names in all databases. Those of the key are first.
    package let columns: [Column]
    /// The number of columns of the key, at least 1. The rows of a copy are in the order of the key.
    package let keyCount: Int
    /// The number of rows that are read at once, at least 1: less for tables whose rows can be large.
    package let batchSize: Int

    /// A column.
    package struct Column: Hashable, Sendable {
        package let name: String
        package let type: ColumnType
        /// Whether the database chooses the value of a new row.
        package let isGenerated: Bool
    }

    /// What a column contains, or null.
    package enum ColumnType: Sendable {
        /// An integer of 64 bits.
        case integer
        /// A text in UTF-8, which may contain NUL. Texts are ordered by their bytes.
        case text
        /// Bytes.
        case bytes
        /// A Boolean value.
        case boolean
    }

    fileprivate init(name: String, columns: [Column], keyCount: Int = 1, batchSize: Int = 1_000) {
        self.name = name
        self.columns = columns
        self.keyCount = keyCount
        self.batchSize = batchSize
    }

    /// The columns of the key.
    package var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// The values of a row with all columns of the table.
    package func values(_ row: some SQLRow) throws -> [SQLValue] {
        try columns.enumerated().map { index, column in
            let value: SQLValue? =
                switch column.type {
                case .integer: try row.optionalInteger(index).map { .integer($0) }
                case .boolean: try row.optionalBoolean(index).map { .boolean($0) }
                case .text, .bytes: try row.optionalBytes(index).map { .bytes($0) }
                }
            return value ?? .null
        }
    }

    /// The key of a row.
    package func key(of row: [SQLValue]) -> [SQLValue] { Array(row.prefix(keyCount)) }
}

extension CopiedTable {
    /// All tables of a database, in an order in which each row follows those that it refers to.
    package static let all = [
        account, revocation, throttle, device, product, addressKey, savedSession, session, sessionEvent,
        replacedSession,
    ]

    /// The latest revocation of each account's sessions. The numbers of later revocations are greater.
    package static let revocation = CopiedTable(
        name: "session_revocation",
        columns: [.integer("number"), .text("account_id")]
    )

    private static let account = CopiedTable(
        name: "account",
        columns: [
            .text("id"), .text("name"), .text("email"), .text("email_key"), .text("username"), .text("username_key"),
            .text("user_id"), .text("contact_email"), .text("password_hash"), .integer("created"),
            .boolean("is_disabled"),
        ]
    )

    private static let throttle = CopiedTable(
        name: "throttle",
        columns: [.text("key"), .integer("failures"), .integer("last_failure"), .integer("refused")]
    )

    private static let device = CopiedTable(
        name: "device",
        columns: [.bytes("key"), .text("account_id"), .integer("failures"), .integer("expires")]
    )

    private static let product = CopiedTable(
        name: "product",
        columns: [.generated("position"), .text("name_key"), .text("name"), .text("description"), .text("image")]
    )

    private static let addressKey = CopiedTable(
        name: "address_key",
        columns: [.integer("id"), .bytes("key")]
    )

    private static let savedSession = CopiedTable(
        name: "saved_session",
        columns: [
            .bytes("id"), .bytes("account_id"), .integer("created"), .integer("last_used"), .integer("revocation"),
            .bytes("content"), .bytes("address"),
        ],
        batchSize: 100
    )

    private static let session = CopiedTable(
        name: "session",
        columns: [
            .generated("number"), .bytes("id"), .integer("version"), .bytes("account_id"), .integer("created"),
            .integer("last_used"), .bytes("content"), .bytes("address"), .integer("size"),
        ],
        batchSize: 100
    )

    private static let sessionEvent = CopiedTable(
        name: "session_event",
        columns: [.integer("session"), .integer("version"), .bytes("token"), .bytes("content")],
        keyCount: 2,
        batchSize: 100
    )

    private static let replacedSession = CopiedTable(
        name: "replaced_session",
        columns: [.bytes("id"), .integer("expires"), .bytes("response")],
        batchSize: 100
    )
}

extension CopiedTable.Column {
    fileprivate static func integer(_ name: String) -> Self { Self(name: name, type: .integer, isGenerated: false) }
    fileprivate static func generated(_ name: String) -> Self { Self(name: name, type: .integer, isGenerated: true) }
    fileprivate static func text(_ name: String) -> Self { Self(name: name, type: .text, isGenerated: false) }
    fileprivate static func bytes(_ name: String) -> Self { Self(name: name, type: .bytes, isGenerated: false) }
    fileprivate static func boolean(_ name: String) -> Self { Self(name: name, type: .boolean, isGenerated: false) }
}
