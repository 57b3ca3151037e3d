package import Accounts
package import BusinessLogic

/// The SQL of the table `mail`.
package enum MailTable {
    /// Adds a mail, unless one has its ID.
    package static func insert(_ mail: Mail, at now: Timestamp) -> SQLStep {
        insertStatement(
            .text(mail.id),
            .text(mail.recipient),
            .text(mail.subject),
            .text(mail.text),
            .text(mail.html),
            .time(mail.expires),
            .time(now)
        )
    }

    /// Whether a mail can be claimed. A write delays other writes, so that it is asked first.
    package static func isDue(at now: Timestamp) -> SQLStep { isDueStatement(.time(now)) }

    /// Claims mails, and returns them.
    package static func claim(limit: Int, at now: Timestamp) -> SQLStep { claimStatement(.time(now), .number(limit)) }

    package static func release(_ id: String) -> SQLStep { releaseStatement(.text(id)) }

    package static func delete(_ id: String) -> SQLStep { deleteStatement(.text(id)) }

    package static func postpone(_ id: String, reason: String, until due: Timestamp) -> SQLStep {
        postponeStatement(.text(id), .text(reason), .time(due))
    }

    package static func fail(_ id: String, reason: String, at now: Timestamp) -> SQLStep {
        failStatement(.text(id), .text(reason), .time(now))
    }

    package static func select(_ id: String) -> SQLStep { selectStatement(.text(id)) }

    /// The mails in the order of their addition.
    package static func select(after number: Int, limit: Int) -> SQLStep {
        selectAfter(.number(number), .number(limit))
    }

    /// Makes a mail due that has not expired and is not claimed. Returns its number.
    package static func retry(_ id: String, at now: Timestamp) -> SQLStep { retryStatement(.time(now), .text(id)) }

    /// Which ``summary(_:)`` reads.
    package static func summarize() -> SQLStep { summaryStatement() }

    /// Deletes the mails that have failed before, and those that failed first if there are more than `maximum`.
    package static func deleteFailed(before time: Timestamp, keeping maximum: Int) -> [SQLStep] {
        [deleteOldStatement(.time(time)), deleteExcessStatement(.number(maximum))]
    }

    package static func mail(_ row: SQLRow) throws -> OutboxMail {
        let mail = Mail(
            id: try row.text(1),
            recipient: try row.text(2),
            subject: try row.text(3),
            text: try row.text(4),
            html: try row.optionalText(5),
            expires: try row.optionalTime(6)
        )
        return OutboxMail(
            mail: mail,
            number: try row.number(0),
            queued: try row.time(7),
            attempts: max(0, try row.number(8)),
            due: try row.time(9),
            claimedUntil: try row.optionalTime(10),
            failed: try row.optionalTime(11),
            reason: try row.optionalText(12)
        )
    }

    package static func summary(_ row: SQLRow) throws -> OutboxSummary {
        OutboxSummary(waiting: try row.number(0), failed: try row.number(1), oldest: try row.optionalTime(2))
    }

    private static let insertStatement = SQLStatement(
        "add mail",
        """
        INSERT INTO mail (\(RowNumber.column)id, recipient, subject, text, html, expires, queued, due)
        VALUES (\(RowNumber.next(of: "mail"))$1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (id) DO NOTHING
        """
    )

    private static let longestPause = Int(OutboxMail.longestPause.wholeMilliseconds)

    private static let isFree: SQLText = """
        (claimed_until IS NULL OR claimed_until <= $1 OR claimed_until > $1 + \(number: longestPause))
        """

    private static let isClaimable: SQLText = """
        failed IS NULL AND (due <= $1 OR due > $1 + \(number: longestPause)) AND \(isFree)
        """

    private static let isDueStatement = SQLStatement(
        "is mail due",
        isReadOnly: true,
        "SELECT EXISTS (SELECT 1 FROM mail WHERE \(isClaimable))"
    )

    // In PostgreSQL, it skips the mails that another server claims now.
    private static let claimable: SQLText = """
        SELECT number FROM mail WHERE \(isClaimable) ORDER BY due LIMIT $2\(postgreSQL: " FOR UPDATE SKIP LOCKED")
        """

    private static let claimStatement = SQLStatement(
        "claim mails",
        """
        UPDATE mail SET
            attempts = 1 + \(postgreSQL: "least", sqlite: "min")(attempts, 1000),
            claimed_until = $1 + \(number: Int(OutboxMail.claimDuration.wholeMilliseconds))
        WHERE \("number", in: claimable) RETURNING \(verbatim: TableDescription.mail.columnNames)
        """
    )

    private static let releaseStatement = SQLStatement(
        "release mail",
        """
        UPDATE mail SET attempts = attempts - 1, claimed_until = NULL
        WHERE id = $1 AND claimed_until IS NOT NULL AND attempts > 0
        """
    )

    private static let deleteStatement = SQLStatement(
        "delete mail",
        "DELETE FROM mail WHERE id = $1 RETURNING number"
    )

    private static let postponeStatement = SQLStatement(
        "postpone mail",
        """
        UPDATE mail SET reason = $2, due = $3, claimed_until = NULL
        WHERE id = $1 AND failed IS NULL
        """
    )

    private static let failStatement = SQLStatement(
        "fail mail",
        """
        UPDATE mail SET reason = $2, failed = $3, claimed_until = NULL
        WHERE id = $1 AND failed IS NULL
        """
    )

    private static let selectStatement = SQLStatement(
        "mail",
        isReadOnly: true,
        "\(TableDescription.mail.selection()) WHERE id = $1"
    )

    private static let selectAfter = SQLStatement(
        "next mails",
        isReadOnly: true,
        "\(TableDescription.mail.selection()) WHERE number > $1 ORDER BY number LIMIT $2"
    )

    private static let retryStatement = SQLStatement(
        "retry mail",
        """
        UPDATE mail SET queued = $1, due = $1, attempts = 0, claimed_until = NULL, failed = NULL
        WHERE id = $2 AND (expires IS NULL OR expires > $1) AND \(isFree) RETURNING number
        """
    )

    private static let summaryStatement = SQLStatement(
        "summary of mails",
        isReadOnly: true,
        """
        SELECT
            (SELECT count(*) FROM mail WHERE failed IS NULL),
            (SELECT count(*) FROM mail WHERE failed IS NOT NULL),
            (SELECT min(queued) FROM mail WHERE failed IS NULL)
        """
    )

    private static let deleteOldStatement = SQLStatement(
        "delete old failed mails",
        "DELETE FROM mail WHERE failed <= $1"
    )

    private static let excess: SQLText = """
        SELECT number FROM mail WHERE failed IS NOT NULL
        ORDER BY failed DESC, number DESC LIMIT \(postgreSQL: "ALL", sqlite: "-1") OFFSET $1
        """

    private static let deleteExcessStatement = SQLStatement(
        "delete excess failed mails",
        "DELETE FROM mail WHERE \("number", in: excess)"
    )
}
