internal import Accounts
internal import BusinessLogic

/// The SQL of the table `audit_record`.
enum AuditTable {
    /// Adds a record that continues another one; `nil` for the first record. Execute ``lock()`` before.
    static func insert(_ event: AuditEvent, after last: StoredAuditRecord?) -> SQLStep {
        let line = event.json(after: last?.hash)
        return insertStatement(.time(event.time), .text(event.account?.text), .text(line))
    }

    /// Waits for records that have not been committed yet. Later ones wait for the end of the transaction.
    static func lock() -> SQLStep { lockStatement() }

    /// The record with the greatest number less than `number`.
    static func selectLast(before number: Int) -> SQLStep { selectLastStatement(.number(number)) }

    /// The first record with a time that is not before `time`.
    static func selectFirst(since time: Timestamp) -> SQLStep { selectFirstStatement(.time(time)) }

    /// The records with greater numbers, in their order.
    ///
    /// - Parameters:
    ///   - account: selects the records of an account; `nil` for all.
    ///   - time: selects the records with this time or a later one.
    static func select(after number: Int, of account: AccountID?, since time: Timestamp, limit: Int) -> SQLStep {
        account.map { selectOfAccount(.number(number), .time(time), .number(limit), .text($0.text)) }
            ?? selectAfter(.number(number), .time(time), .number(limit))
    }

    /// Deletes the records with the least numbers up to `number`, and returns a row for each.
    static func delete(upTo number: Int, limit: Int) -> SQLStep { deleteStatement(.number(number), .number(limit)) }

    static func record(_ row: SQLRow) throws -> StoredAuditRecord {
        StoredAuditRecord(
            number: try row.number(0),
            time: try row.time(1),
            account: try row.optionalText(2).map { AccountID($0) },
            line: Array(try row.text(3).utf8)
        )
    }

    private static let query = TableDescription.auditRecord.selection()

    // The seed distinguishes the tables of several schemas.
    private static let lockStatement = SQLStatement(
        "lock audit log",
        postgreSQL: """
            SELECT pg_advisory_xact_lock(hashtextextended('understudy audit', 'audit_record'::regclass::oid::bigint))
            """
    )

    private static let insertStatement = SQLStatement(
        "insert audit record",
        """
        INSERT INTO audit_record (\(RowNumber.column)time, account_id, line)
        VALUES (\(RowNumber.next(of: "audit_record"))$1, $2, $3)
        """
    )

    private static let selectLastStatement = SQLStatement(
        "last audit record",
        isReadOnly: true,
        "\(query) WHERE number < $1 AND number <= \(number: RowNumber.maximum) ORDER BY number DESC LIMIT 1"
    )

    private static let selectFirstStatement = SQLStatement(
        "first audit record",
        isReadOnly: true,
        "\(query) WHERE time >= $1 ORDER BY number LIMIT 1"
    )

    private static let selectAfter = SQLStatement(
        "audit records",
        isReadOnly: true,
        "\(query) WHERE number > $1 AND time >= $2 ORDER BY number LIMIT $3"
    )

    private static let selectOfAccount = SQLStatement(
        "audit records of account",
        isReadOnly: true,
        "\(query) WHERE account_id = $4 AND number > $1 AND time >= $2 ORDER BY number LIMIT $3"
    )

    private static let oldest: SQLText = "SELECT number FROM audit_record WHERE number <= $1 ORDER BY number LIMIT $2"

    private static let deleteStatement = SQLStatement(
        "delete audit records",
        "DELETE FROM audit_record WHERE \("number", in: oldest) RETURNING number"
    )
}
