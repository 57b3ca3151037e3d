internal import Foundation
internal import GRDB

extension SQLiteDatabase {
    /// Writes a consistent copy of the database to a new file that only its owner can read. Never overwrites an existing file.
    ///
    /// The copy contains no saved sessions: a server that used it would continue sessions that have ended since.
    ///
    /// The file appears at the path when it is complete and on the disk. Other calls continue meanwhile.
    ///
    /// - Throws: ``SQLiteDatabaseError``. Then no new file remains.
    public func backup(to path: String) async throws {
        let path = DatabaseFile.absolutePath(path)
        if FileManager.default.fileExists(atPath: path) { throw SQLiteDatabaseError.exists(path: path) }
        let partial = "\(path).\(UUID().uuidString.lowercased()).partial"
        try DatabaseFile.createIfMissing(partial, for: path)
        defer { unlink(partial) }
        do {
            try await pool.read { source in
                let copy = try DatabaseQueue(path: partial)
                try copy.writeWithoutTransaction { db in
                    try source.backup(to: db)
                    try db.execute(sql: "PRAGMA secure_delete = ON; DELETE FROM saved_session")
                    // The copy needs no `-wal`.
                    try db.execute(sql: "PRAGMA user_version = 0")
                }
                try copy.close()
                try Self.publish(partial, as: path)
            }
        } catch let error as DatabaseError {
            throw SQLiteDatabaseError.cannotWrite(path: path, reason: error.message ?? "\(error.extendedResultCode)")
        }
    }

    /// Syncs the file to the disk and links it to its path. Throws if there is a file at the path.
    private static func publish(_ partial: String, as path: String) throws(SQLiteDatabaseError) {
        try sync(partial, for: path)
        // Unlike rename(), link() does not overwrite a file.
        guard link(partial, path) == 0 else {
            let code = errno
            throw code == EEXIST ? .exists(path: path) : .cannotWrite(path: path, reason: DatabaseFile.text(of: code))
        }
        try sync(URL(fileURLWithPath: path).deletingLastPathComponent().path, for: path)
    }

    private static func sync(_ file: String, for path: String) throws(SQLiteDatabaseError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: DatabaseFile.text(of: errno)) }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path: path, reason: DatabaseFile.text(of: errno)) }
    }
}
