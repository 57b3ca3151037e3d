internal import Accounts
internal import BusinessLogic
internal import Foundation
internal import GRDB
internal import SessionStorage

/// The SQL of the table `saved_session`.
struct SavedSessionTable {
    let db: Database

    private static let columns = "id, saved_session.account_id, created, last_used, content, address"

    /// Saves a session, or replaces the one with the same ID.
    ///
    /// - Parameter revocation: the number of the last revocation that the session's server has applied.
    func insert(_ session: StoredSession, revocation: Int) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO saved_session (id, account_id, created, last_used, content, address, revocation)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            Data(session.id), session.user.map { Data($0.utf8) }, session.created.milliseconds,
            session.lastUsed.milliseconds, Data(session.content), session.address.map { Data($0) }, revocation,
        ])
    }

    /// The sessions that have been unused longest, each with whether a later revocation concerns its user.
    func select(limit: Int) throws -> [(session: StoredSession, isRevoked: Bool)] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns), coalesce(number, 0) > revocation
                FROM saved_session
                LEFT JOIN session_ending ON session_ending.account_id = CAST(saved_session.account_id AS TEXT)
                ORDER BY last_used, id LIMIT ?
                """
        )
        return try Row.fetchAll(statement, arguments: [limit]).map { (try Self.session($0), try $0.number(6) != 0) }
    }

    /// The sessions of an account.
    func select(of account: AccountID) throws -> [StoredSession] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.columns) FROM saved_session WHERE account_id = ? ORDER BY last_used, id"
        )
        return try Row.fetchAll(statement, arguments: [Data(account.text.utf8)]).map(Self.session)
    }

    func delete(_ session: StoredSession) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM saved_session WHERE id = ?")
        try statement.execute(arguments: [Data(session.id)])
    }

    /// Deletes the sessions of an account. There are few sessions in the table, or none, while a server runs.
    func delete(of account: AccountID) throws {
        try db.execute(sql: "DELETE FROM saved_session WHERE account_id = ?", arguments: [Data(account.text.utf8)])
    }

    private static func session(_ row: Row) throws -> StoredSession {
        StoredSession(
            id: Array(try row.bytes(0)),
            user: row.optionalText(1),
            created: Timestamp(milliseconds: try row.number(2)),
            lastUsed: Timestamp(milliseconds: try row.number(3)),
            content: Array(try row.bytes(4)),
            address: row.optionalBytes(5)
        )
    }
}
