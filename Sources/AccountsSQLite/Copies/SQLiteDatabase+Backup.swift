package import BusinessLogic
internal import Glibc

extension SQLiteDatabase {
    /// Replaces a database by a copy of a backup, without sessions. Call it only while this process has neither file open.
    ///
    /// If the process or the machine fails meanwhile, the path contains the replaced database, the backup, or a file that no server opens because
    /// its `-wal` is missing; never a mix of both.
    ///
    /// - Parameters:
    ///   - backup: the backup, which does not change.
    ///   - path: the database, which is created if it is missing.
    ///   - now: becomes a part of the name of the replaced database.
    /// - Returns: the path of the replaced database; `nil` if there was none.
    /// - Throws: ``SQLiteDatabaseError``, also if the backup is damaged, or another process uses the database. Then nothing has changed.
    package static func restore(_ backup: String, to path: String, at now: Timestamp) throws -> String? {
        let backup = DatabaseFile.absolutePath(backup)
        // SQLite finds the `-wal` of a symbolic link next to the file to which it leads.
        let path = DatabaseFile.resolved(path)
        guard DatabaseFile.exists(backup) else {
            throw SQLiteDatabaseError.cannotOpen(path: backup, reason: "there is no such file")
        }
        try requireUnused(path)
        let copy = try DatabaseCopy(for: path)
        defer { copy.remove() }
        // Without a `-wal`, SQLite need not create one next to the backup, which no process changes.
        let isImmutable = !DatabaseFile.exists(backup + "-wal")
        try readOnly(backup, isImmutable: isImmutable) { db in
            guard try Schema.current.version(db) > 0 else { throw SQLiteDatabaseError.foreign(path: backup) }
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
}
