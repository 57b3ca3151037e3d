package import BusinessLogic
import Glibc

extension SQLiteDatabase {
    /// Replaces a database, or creates it, by a copy of a backup, without sessions. Call it only while this process has neither file open.
    /// Throws if the backup is damaged, or another process uses the database, for example; then nothing has changed.
    ///
    /// If the process or the machine fails meanwhile, the path contains the replaced database, the backup, or a file that no server opens
    /// because its `-wal` is missing; never a mix of both.
    ///
    /// Returns the path of the replaced database, whose name contains `now`; `nil` if there was none.
    package static func restore(_ backup: String, to path: String, at now: Timestamp) throws -> String? {
        let backup = DatabaseFile.absolutePath(backup)
        // SQLite finds the `-wal` of a symbolic link next to the file to which it leads.
        let path = DatabaseFile.resolved(path)
        guard access(backup, R_OK) == 0 else {
            throw SQLiteDatabaseError.cannotOpen(path: backup, reason: String(cString: strerror(errno)))
        }
        guard DatabaseFile.resolved(backup) != path else { throw SQLiteDatabaseError.sameFile(path: path) }
        try requireUnused(path)
        // A wrong path must not end another program. What cannot be read may be a damaged database.
        do {
            try readOnly(path, isImmutable: !DatabaseFile.exists(path + "-wal")) { _ in }
        } catch {
            if case .foreign = error { throw error }
        }
        let copy = try DatabaseCopy(for: path)
        defer { copy.remove() }
        // Without a `-wal`, SQLite need not create one next to the backup, which no process changes.
        let isImmutable = !DatabaseFile.exists(backup + "-wal")
        try readOnly(backup, isImmutable: isImmutable) { db in
            guard try Schema.current.version(db) > 0 else {
                throw SQLiteDatabaseError.cannotOpen(path: backup, reason: "it has no tables")
            }
            try copy.write(db, from: backup)
        }
        try requireUnused(path)
        let replaced = "\(path).replaced-\(now)"
        let files = ["", "-wal"].filter { DatabaseFile.exists(path + $0) }
        for ending in files { try DatabaseFile.link(path + ending, replaced + ending, for: path) }
        try DatabaseFile.syncFolder(of: path)
        // In this order: without its `-wal`, the replaced file is known to be incomplete; with it, the new one would be destroyed.
        for ending in ["-wal", "-shm"] { unlink(path + ending) }
        try DatabaseFile.syncFolder(of: path)
        try copy.replace()
        return files.contains("") ? replaced : nil
    }

    private static func requireUnused(_ path: String) throws(SQLiteDatabaseError) {
        if let process = otherProcess(using: path) { throw .inUse(path: path, process: process) }
    }

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

    /// Returns the number of another process that has a file open; `nil` if no process has, or this cannot be found out.
    ///
    /// Call it only while this process does not have the file open: it would release SQLite's locks on it in this process.
    package static func otherProcess(using path: String) -> Int32? {
        // SQLite follows symbolic links. While a connection is open, SQLite has a shared lock on the byte of the file `-shm` that os_unix.c
        // calls `UNIX_SHM_DMS`.
        let file = DatabaseFile.resolved(path) + "-shm"
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 128
        lock.l_len = 1
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }
}
