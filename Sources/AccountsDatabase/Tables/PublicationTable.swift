package import BusinessLogic

package enum PublicationTable {
    /// Publishes a topic with the commit.
    package static func insert(_ publication: Publication) -> SQLStep {
        insertStatement(publication.token, publication.topic.name, publication.topic.key)
    }

    /// What ``select`` has returned for a position.
    static func publications(_ rows: [SQLRow], after position: Publications.Position?) throws -> Publications {
        let publications = try rows.compactMap { row in
            try row.optionalInteger(4).map { token in
                Publication(Topic(try row.text(5), key: try row.text(6)), token: token)
            }
        }
        let server = try rows[0].text(1)
        // Another server, or this one after a restore, may number other transactions in the same way.
        let isSameServer = position.map { $0.server == server } ?? true
        // It does not go back if the number of the newest row is damaged.
        let former = isSameServer ? position?.number ?? 0 : 0
        return Publications(
            position: .init(
                transactions: try rows[0].text(0),
                server: server,
                number: max(try rows[0].number(2), former)
            ),
            publications: publications,
            isComplete: try isSameServer && rows[0].boolean(3) && publications.count <= Publications.limit
        )
    }

    /// The condition that a number is not damaged, in which case the publication is ignored: otherwise, it would hide all later ones.
    private static let isValid: SQLText = "number BETWEEN 1 AND \(verbatim: RowNumber.maximum)"

    // PostgreSQL does not commit transactions in the order of their IDs. Therefore it selects the rows that are visible now and were not
    // visible in the snapshot of the call before: each row once, as soon as it is committed, however long other transactions take.
    // After a restore, rows can have IDs that the server has not reached yet.
    private static let isNew = SQLText(
        postgreSQL: """
            transaction >= pg_snapshot_xmin($1::text::pg_snapshot)
                AND NOT pg_visible_in_snapshot(transaction, $1::text::pg_snapshot)
                AND transaction < pg_snapshot_xmax(pg_current_snapshot())
            ORDER BY transaction
            """,
        sqlite: "number > ?2 AND \(isValid.sqlite) ORDER BY number"
    )

    /// The present position, whether nothing after the number of another position can have been deleted, and what has been published since that
    /// position: its transactions and its number. If that is nothing, the only row contains null instead.
    static let select = SQLStatement(
        "publications",
        """
        SELECT \(postgreSQL: "pg_current_snapshot()::text, pg_postmaster_start_time()::text", sqlite: "'', ''"),
            coalesce((SELECT max(number) FROM publication WHERE \(isValid)), 0),
            coalesce((SELECT min(number) FROM publication WHERE \(isValid)) - 1 <= $2, TRUE),
            token, name, key
        FROM (SELECT 1) AS present LEFT JOIN (
            SELECT token, name, key FROM publication WHERE \(isNew) LIMIT \(verbatim: Publications.limit + 1)
        ) AS new ON TRUE
        """
    )

    private static let insertStatement = SQLStatement(
        "publish topic",
        """
        INSERT INTO publication (\(RowNumber.column)token, name, key) VALUES (\(RowNumber.next(of: "publication"))$1, $2, $3)
        """
    )

    /// Deletes the publications before a number. That one stays, so that a process finds out whether one that it has not read was deleted.
    static let delete = SQLStatement("delete publications", "DELETE FROM publication WHERE number < $1")
}

/// A topic that a process has published in a database.
package struct Publication: Equatable, Sendable {
    /// A random number, by which the process that has published the topic recognises it.
    let token: Int64
    package let topic: Topic

    package init(_ topic: Topic, token: Int64 = .random(in: .min ... .max)) {
        self.token = token
        self.topic = topic
    }
}

/// What has been published in a database since a position.
package struct Publications: Equatable, Sendable {
    /// The position from which the next call continues.
    package let position: Position
    package let publications: [Publication]
    /// Whether these are all publications. Otherwise, some that have not been read may have been deleted, or there are too many.
    package let isComplete: Bool

    /// The maximum number of publications that one call returns.
    package static let limit = 10_000

    /// How far a process has read the publications of a database.
    package struct Position: Equatable, Sendable {
        /// The transactions that the process has read; empty in SQLite, where transactions are committed in the order of the numbers.
        let transactions: String
        /// Identifies the server that has numbered the transactions.
        let server: String
        /// The number of the newest publication. The newest one is never deleted; a migration has inserted the first.
        let number: Int
    }
}
