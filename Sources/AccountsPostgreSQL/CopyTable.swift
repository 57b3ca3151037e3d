internal import Accounts
internal import PostgreSQL

/// The SQL that copies a table.
struct CopyTable {
    let table: CopiedTable
    /// Whether the table has a row.
    let hasRows: PostgreSQLStatement
    private let insertStatement: PostgreSQLStatement
    private let selectFirst: PostgreSQLStatement
    private let selectNext: PostgreSQLStatement
    /// Makes the next generated number greater than all others; `nil` if the table has no column of generated numbers.
    let continueNumbers: PostgreSQLStatement?

    /// All tables, in the order in which they are copied.
    static let all = CopiedTable.all.map(CopyTable.init)

    /// Rejects writes to all tables until the end of the transaction, and waits for those that are not committed yet.
    static let lock = PostgreSQLStatement(
        name: "lock tables",
        sql: """
            LOCK TABLE \(CopiedTable.all.map(\.name).joined(separator: ", ")), session_revocation_counter
            IN SHARE ROW EXCLUSIVE MODE
            """
    )

    /// Deletes the key that a server has created when it started. Only sessions depend on it.
    static let deleteAddressKey = PostgreSQLStatement(name: "delete address key", sql: "DELETE FROM address_key")

    /// Makes the numbers of later revocations greater than those of all revocations in the table.
    static let continueRevocations = PostgreSQLStatement(
        name: "continue revocations",
        sql: """
            UPDATE session_revocation_counter
            SET last = greatest(last, (SELECT max(number) FROM session_revocation))
            """
    )

    private init(_ table: CopiedTable) {
        self.table = table
        let name = table.name
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let values = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let key = table.key.map(\.name).joined(separator: ", ")
        let parameters = table.key.indices.map { "$\($0 + 2)" }.joined(separator: ", ")
        hasRows = PostgreSQLStatement(
            name: "copy any \(name)",
            isReadOnly: true,
            sql: "SELECT EXISTS (SELECT FROM \(name))"
        )
        insertStatement = PostgreSQLStatement(
            name: "copy \(name)",
            sql: "INSERT INTO \(name) (\(columns)) OVERRIDING SYSTEM VALUE VALUES (\(values))"
        )
        selectFirst = PostgreSQLStatement(
            name: "copied \(name)",
            isReadOnly: true,
            sql: "SELECT \(columns) FROM \(name) ORDER BY \(key) LIMIT $1"
        )
        selectNext = PostgreSQLStatement(
            name: "next copied \(name)",
            isReadOnly: true,
            sql: "SELECT \(columns) FROM \(name) WHERE (\(key)) > (\(parameters)) ORDER BY \(key) LIMIT $1"
        )
        continueNumbers = table.columns.first(where: \.isGenerated).map { column in
            PostgreSQLStatement(
                name: "continue \(name)",
                sql: """
                    SELECT setval(pg_get_serial_sequence('\(name)', '\(column.name)'), max(\(column.name)))
                    FROM \(name) HAVING count(*) > 0
                    """
            )
        }
    }

    func insert(_ row: [CopiedValue]) -> PostgreSQLStep { PostgreSQLStep(insertStatement, row.map(\.value)) }

    /// Reads a batch of rows in the order of the key.
    ///
    /// - Parameter key: the key of the last row of the batch before; `nil` for the first batch.
    func select(after key: [CopiedValue]?) -> PostgreSQLStep {
        let limit = PostgreSQLValue.number(table.batchSize)
        guard let key else { return selectFirst(limit) }
        return PostgreSQLStep(selectNext, [limit] + key.map(\.value))
    }

    /// Reads the rows of a result.
    func rows(_ result: PostgreSQLResult) throws -> [[CopiedValue]] {
        try result.map { row in
            try table.columns.enumerated().map { try row.copied($0.offset, $0.element.type) }
        }
    }
}

extension CopiedValue {
    fileprivate var value: PostgreSQLValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .bytes(let bytes): .bytes(bytes)
        case .boolean(let value): .boolean(value)
        }
    }
}

extension PostgreSQLRow {
    fileprivate func copied(_ column: Int, _ type: CopiedTable.ColumnType) throws -> CopiedValue {
        let value: CopiedValue? =
            switch type {
            case .integer: try optionalInteger(column).map { .integer($0) }
            case .boolean: try optionalBoolean(column).map { .boolean($0) }
            case .text, .bytes: try optionalBytes(column).map { .bytes($0) }
            }
        return value ?? .null
    }
}
