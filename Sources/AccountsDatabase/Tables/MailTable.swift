import Accounts
import BusinessLogic

enum MailTable {
    static let description = TableDescription(
        name: "mail",
        columns: [
            "number", "id", "recipient", "subject", "text", "html", "expires", "queued", "attempts", "due",
            "claimed_until", "failed", "reason",
        ],
        isNumbered: true,
        batchSize: 100
    )

    static func mail(_ row: SQLRow) throws -> OutboxMail {
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

    static func summary(_ row: SQLRow) throws -> OutboxSummary {
        OutboxSummary(waiting: try row.number(0), failed: try row.number(1), oldest: try row.optionalTime(2))
    }

    static let insert = SQLStatement(
        "add mail",
        """
        INSERT INTO mail (\(RowNumber.column)id, recipient, subject, text, html, expires, queued, due)
        VALUES (\(RowNumber.next(of: "mail"))$1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (id) DO NOTHING
        """
    )

    private static let longestPause = Int(OutboxMail.longestPause.wholeMilliseconds)

    private static let isFree: SQLText = """
        (claimed_until IS NULL OR claimed_until <= $1 OR claimed_until > $1 + \(verbatim: longestPause))
        """

    private static let isClaimable: SQLText = """
        failed IS NULL AND (due <= $1 OR due > $1 + \(verbatim: longestPause)) AND \(isFree)
        """

    /// Whether a mail can be claimed now. A write delays other writes, so that it is asked first.
    static let isDue = SQLStatement("is mail due", "SELECT EXISTS (SELECT 1 FROM mail WHERE \(isClaimable))")

    // In PostgreSQL, it skips the mails that another server claims now.
    private static let claimable: SQLText = """
        SELECT number FROM mail WHERE \(isClaimable) ORDER BY due LIMIT $2\(.skippingLocked)
        """

    /// Claims at most that many mails from now on, and returns them.
    static let claim = SQLStatement(
        "claim mails",
        """
        UPDATE mail SET
            attempts = 1 + \(.least)(attempts, 1000),
            claimed_until = $1 + \(verbatim: Int(OutboxMail.claimDuration.wholeMilliseconds))
        WHERE \("number", in: claimable) RETURNING \(verbatim: description.columnNames)
        """
    )

    static let release = SQLStatement(
        "release mail",
        """
        UPDATE mail SET attempts = attempts - 1, claimed_until = NULL
        WHERE id = $1 AND claimed_until IS NOT NULL AND attempts > 0
        """
    )

    static let delete = SQLStatement("delete mail", "DELETE FROM mail WHERE id = $1 RETURNING number")

    /// Records why a mail was not sent, and either until when it waits, or since when it has failed for good.
    static let recordFailure = SQLStatement(
        "record failure of mail",
        """
        UPDATE mail SET reason = $2, due = coalesce($3, due), failed = $4, claimed_until = NULL
        WHERE id = $1 AND failed IS NULL
        """
    )

    static let select = SQLStatement("mail", "\(description.selection()) WHERE id = $1")

    static let selectAfter = SQLStatement(
        "next mails",
        "\(description.selection()) WHERE number > $1 ORDER BY number LIMIT $2"
    )

    /// Makes a mail due now that has not expired and is not claimed. Returns its number.
    static let retry = SQLStatement(
        "retry mail",
        """
        UPDATE mail SET queued = $1, due = $1, attempts = 0, claimed_until = NULL, failed = NULL
        WHERE id = $2 AND (expires IS NULL OR expires > $1) AND \(isFree) RETURNING number
        """
    )

    /// Which ``summary(_:)`` reads.
    static let summarize = SQLStatement(
        "summary of mails",
        """
        SELECT
            (SELECT count(*) FROM mail WHERE failed IS NULL),
            (SELECT count(*) FROM mail WHERE failed IS NOT NULL),
            (SELECT min(queued) FROM mail WHERE failed IS NULL)
        """
    )

    static let deleteOld = SQLStatement("delete old failed mails", "DELETE FROM mail WHERE failed <= $1")

    private static let excess: SQLText = """
        SELECT number FROM mail WHERE failed IS NOT NULL
        ORDER BY failed DESC, number DESC LIMIT \(postgreSQL: "ALL", sqlite: "-1") OFFSET $1
        """

    /// Deletes the mails that failed first if there are more failed ones than that.
    static let deleteExcess = SQLStatement(
        "delete excess failed mails",
        "DELETE FROM mail WHERE \("number", in: excess)"
    )
}
