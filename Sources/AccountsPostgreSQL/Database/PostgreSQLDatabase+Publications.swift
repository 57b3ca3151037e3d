package import AccountsDatabase
internal import Accounts
internal import BusinessLogic

extension PostgreSQLDatabase {
    package static var publicationInterval: Duration { .milliseconds(50) }

    package func publications(after position: Publications.Position?) async throws -> Publications {
        let rows: [SQLRow]
        do {
            rows = try await pool.execute(Self.selectPublications(position?.transactions))
        } catch {
            throw Self.collaboratorError(for: error, .topics) ?? error
        }
        let publications = try rows.compactMap { row in
            try row.optionalInteger(4) == nil ? nil : try PublicationTable.publication(row, from: 4)
        }
        let server = try rows[0].text(1)
        let next = Publications.Position(
            transactions: try rows[0].text(0),
            server: server,
            number: Int(try rows[0].optionalInteger(3) ?? 0)
        )
        let oldest = try rows[0].optionalInteger(2).map { Int($0) }
        // Another server, or this one after a restore, may number other transactions in the same way.
        let isComplete =
            position.map { $0.server == server && $0.precedes(oldest: oldest) } ?? true
            && publications.count <= Publications.limit
        return Publications(position: next, publications: publications, isComplete: isComplete)
    }

    // Transactions are not committed in the order of their IDs. Therefore it reads the rows that are visible now and were not visible in
    // the snapshot of the call before: each row once, as soon as it is committed, however long other transactions take.
    // After a restore, rows can have IDs that the server has not reached yet.
    private static let selectPublications = SQLStatement(
        "publications",
        postgreSQL: """
            SELECT pg_current_snapshot()::text, pg_postmaster_start_time()::text,
                (SELECT min(number) FROM publication WHERE \(PublicationTable.isValid.postgreSQL)),
                (SELECT max(number) FROM publication WHERE \(PublicationTable.isValid.postgreSQL)),
                \(PublicationTable.columns.postgreSQL)
            FROM (VALUES (1)) AS present
            LEFT JOIN (
                SELECT \(PublicationTable.columns.postgreSQL) FROM publication
                WHERE transaction >= pg_snapshot_xmin($1::text::pg_snapshot)
                    AND NOT pg_visible_in_snapshot(transaction, $1::text::pg_snapshot)
                    AND transaction < pg_snapshot_xmax(pg_current_snapshot())
                ORDER BY transaction LIMIT \(Publications.limit + 1)
            ) AS new ON TRUE
            """
    )
}
