internal import GRDB

/// Everything that a database contained at one moment, in memory: its accounts, sessions, products, and all other rows.
package struct SQLiteContents: Sendable {
    private let copy: DatabaseQueue

    init(of source: Database) throws {
        copy = try DatabaseQueue()
        try copy.writeWithoutTransaction { try source.backup(to: $0) }
    }

    /// Replaces everything in a database, in one transaction.
    func restore(in database: Database) throws {
        try copy.read { try $0.backup(to: database) }
    }
}

extension SQLiteDatabase {
    /// A copy of everything in the database now. Other calls continue meanwhile.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func contents() async throws -> SQLiteContents {
        try await read { try SQLiteContents(of: $0) }
    }

    /// Replaces everything in the database by what it contained at another moment, in one transaction. Changes by other processes are lost
    /// as well.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``. Then nothing has changed.
    package func restore(_ contents: SQLiteContents) async throws {
        try await replaceContents(by: contents)
    }
}
