package import Accounts
package import BusinessLogic

enum AuditTable {
    static let description = TableDescription(
        name: "audit_record",
        columns: ["number", "time", "account_id", "line"],
        isNumbered: true
    )

    /// The records with greater numbers, with this time or a later one, in their order; without an account, those of all.
    static func select(after number: Int, of account: AccountID?, since time: Timestamp, limit: Int) -> SQLStep {
        account.map { selectOfAccount(number, time, limit, $0) } ?? selectAfter(number, time, limit)
    }

    static func record(_ row: SQLRow) throws -> StoredAuditRecord {
        StoredAuditRecord(
            number: try row.number(0),
            time: try row.time(1),
            account: try row.optionalText(2).map { AccountID($0) },
            line: Array(try row.text(3).utf8)
        )
    }

    private static let query = description.selection()

    /// Waits for records that have not been committed yet. Later ones wait for the end of the transaction.
    static let lock = SQLStatement(
        // The seed distinguishes the tables of several schemas.
        "lock audit log",
        postgreSQL: """
            SELECT pg_advisory_xact_lock(hashtextextended('understudy audit', 'audit_record'::regclass::oid::bigint))
            """
    )

    /// Adds a record: its time, account and line. Execute ``lock`` before.
    static let insert = SQLStatement(
        "insert audit record",
        """
        INSERT INTO audit_record (\(RowNumber.column)time, account_id, line)
        VALUES (\(RowNumber.next(of: "audit_record"))$1, $2, $3)
        """
    )

    /// The record with the greatest number less than a number.
    static let selectLast = SQLStatement(
        "last audit record",
        "\(query) WHERE number < $1 AND number <= \(verbatim: RowNumber.maximum) ORDER BY number DESC LIMIT 1"
    )

    /// The records with lesser numbers whose lines contain a text, the newest first.
    static let selectBefore = SQLStatement(
        "newest audit records",
        """
        \(query) WHERE number < $1 AND \(postgreSQL: "strpos", sqlite: "instr")(line, $2) > 0
        ORDER BY number DESC LIMIT $3
        """
    )

    /// About how many records there are, and the greatest number.
    static let count = SQLStatement(
        "count audit records",
        """
        SELECT coalesce((SELECT max(number) FROM audit_record) - (SELECT min(number) FROM audit_record) + 1, 0),
            coalesce((SELECT max(number) FROM audit_record), 0)
        """
    )

    /// The time of the last backup in records with greater numbers.
    static let selectBackup = SQLStatement(
        "last backup",
        """
        SELECT time FROM audit_record WHERE number > $1
            AND \(postgreSQL: "strpos", sqlite: "instr")(line, '"event":"backupCreated"') > 0
        ORDER BY number DESC LIMIT 1
        """
    )

    static let selectFirst = SQLStatement("first audit record", "\(query) WHERE time >= $1 ORDER BY number LIMIT 1")

    private static let selectAfter = SQLStatement(
        "audit records",
        "\(query) WHERE number > $1 AND time >= $2 ORDER BY number LIMIT $3"
    )

    private static let selectOfAccount = SQLStatement(
        "audit records of account",
        "\(query) WHERE account_id = $4 AND number > $1 AND time >= $2 ORDER BY number LIMIT $3"
    )

    private static let oldest: SQLText = "SELECT number FROM audit_record WHERE number <= $1 ORDER BY number LIMIT $2"

    /// Deletes the records with the least numbers up to a number, at most as many as the limit, and returns a row for each.
    static let delete = SQLStatement(
        "delete audit records",
        "DELETE FROM audit_record WHERE \("number", in: oldest) RETURNING number"
    )
}

/// A record of the audit log in a database.
package struct StoredAuditRecord: Equatable, Sendable {
    /// The position in the chain. Numbers may be missing.
    package let number: Int
    package let time: Timestamp
    package let account: AccountID?
    /// The record as JSON in UTF-8, without a line feed.
    package let line: [UInt8]

    /// The name of the record in the chain: the SHA-256 of its line in hexadecimal digits, as `sha256sum` prints it.
    package var hash: String { sha256(line).hexadecimalDigits }

    /// A member of the record; `nil` if it is missing, or the line is damaged.
    package func text(_ member: String) -> String? { try? JSONReader.read(line)[member]?.string }
}
