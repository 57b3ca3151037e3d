extension SQLiteDatabase {
    /// Writes a consistent copy of the database to a new file that only its owner can read. Never overwrites an existing file.
    ///
    /// The copy contains no sessions: a server that used it would continue sessions that have ended since.
    ///
    /// The file appears at the path when it is complete, checked and on the disk. Other calls continue meanwhile.
    ///
    /// - Throws: ``SQLiteDatabaseError``, also if the database is damaged. Then no new file remains.
    public func backup(to path: String) async throws {
        let path = DatabaseFile.absolutePath(path)
        if DatabaseFile.exists(path) { throw SQLiteDatabaseError.exists(path: path) }
        let copy = try DatabaseCopy(for: path)
        defer { copy.remove() }
        do {
            try await pool.read(deadline: .now + busyTimeout) { [path = self.path] source in
                try copy.write(source, from: path)
            }
            try copy.publish()
        } catch let error as SQLiteError {
            throw SQLiteDatabaseError.cannotWrite(path: path, reason: error.message)
        }
    }
}
