internal import GRDB

/// Everything that a database contained at one moment, in memory: its accounts, sessions, products, and all other rows.
package struct SQLiteContents: Sendable {
    fileprivate let copy: DatabaseQueue
}

extension SQLiteDatabase {
    /// A copy of everything in the database now. Other calls continue meanwhile.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
    package func contents() async throws -> SQLiteContents {
        try await read { source in
            let copy = try DatabaseQueue()
            try copy.writeWithoutTransaction { try source.backup(to: $0) }
            return SQLiteContents(copy: copy)
        }
    }

    /// Replaces everything in the database by what it contained at another moment, in one transaction. Changes by other processes are lost
    /// as well.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``. Then nothing has changed.
    package func restore(_ contents: SQLiteContents) async throws {
        try await replaceContents(by: contents.copy)
    }
}
