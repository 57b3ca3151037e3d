internal import Accounts
package import AccountsDatabase
internal import BusinessLogic

extension SQLiteDatabase {
    package static var publicationInterval: Duration { .milliseconds(500) }

    package func publications(after position: Publications.Position?) async throws -> Publications {
        do {
            return try await withWriter { try $0.publications(after: position) }
        } catch {
            throw Self.collaboratorError(for: error, .topics) ?? error
        }
    }
}

extension SQLiteConnection {
    /// What other connections have published since a position. If they have written nothing, this costs a few microseconds.
    fileprivate func publications(after position: Publications.Position?) throws -> Publications {
        let valid = PublicationTable.isValid.sqlite
        let newest = try integer("SELECT max(number) FROM publication WHERE \(valid)").map { Int($0) } ?? 0
        // Of this connection, it changes only if another one has written. It is read last, so that it counts all that it has not seen yet.
        let version = "\(try integer("PRAGMA data_version") ?? 0)"
        guard let position, position.transactions != version else {
            let position = Publications.Position(transactions: version, number: newest)
            return Publications(position: position, publications: [], isComplete: true)
        }
        let rows = try run(
            "SELECT \(PublicationTable.columns.sqlite), number FROM publication WHERE number > ?1 AND \(valid) ORDER BY number LIMIT ?2",
            position.number,
            Publications.limit + 1
        )
        let last = try rows.last?.number(3) ?? position.number
        let oldest = try integer("SELECT min(number) FROM publication WHERE \(valid)").map { Int($0) }
        return Publications(
            position: Publications.Position(
                transactions: version,
                number: rows.count > Publications.limit ? newest : last
            ),
            publications: try rows.map { try PublicationTable.publication($0, from: 0) },
            isComplete: position.precedes(oldest: oldest) && rows.count <= Publications.limit
        )
    }
}
