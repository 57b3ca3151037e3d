import Glibc

/// A new file with a copy of a database, under a temporary name until it is complete, checked and on the disk.
struct DatabaseCopy {
    /// The path that the copy gets.
    private let path: String
    private let partial: String

    /// Creates an empty file that only its owner can read.
    init(for path: String) throws(SQLiteDatabaseError) {
        self.path = path
        partial = "\(path).\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16)).partial"
        try DatabaseFile.createIfMissing(partial, for: path)
    }

    /// Removes what is left under the temporary name.
    func remove() {
        for ending in ["", "-journal", "-wal", "-shm"] { unlink(partial + ending) }
    }

    /// Copies the database at `original`, without sessions: a server that used them would continue sessions that have ended since. Throws
    /// ``SQLiteDatabaseError/damaged(path:)`` if the database or its copy is damaged, and ``SQLiteDatabaseError/cannotWrite(path:reason:)``
    /// with the path of the copy, for example if the disk is full.
    func write(_ source: SQLiteConnection, from original: String) throws {
        do {
            let copy = try SQLiteConnection(partial)
            try source.backup(to: copy)
            try copy.execute("PRAGMA secure_delete = ON")
            let tables = try copy.tables()
            for table in ["session", "replaced_session"] where tables.contains(table) {
                try copy.execute("DELETE FROM \(table)")
            }
            try WriteAheadLog.separate(copy)
            guard try copy.texts("PRAGMA quick_check(1)") == ["ok"] else {
                throw SQLiteDatabaseError.damaged(path: original)
            }
        } catch let error as SQLiteError where [.corrupt, .notADatabase].contains(error.code) {
            throw SQLiteDatabaseError.damaged(path: original)
        } catch let error as SQLiteError
            where !error.isReadFailure && [.full, .inputOutput, .readOnly, .cannotOpen].contains(error.code)
        {
            throw SQLiteDatabaseError.cannotWrite(path: path, reason: error.message)
        }
        try DatabaseFile.sync(partial, for: path)
    }

    /// Gives the copy its name. Throws if there is a file with this name.
    func publish() throws(SQLiteDatabaseError) {
        // Unlike rename(), link() does not overwrite a file.
        try DatabaseFile.link(partial, path, for: path)
        try DatabaseFile.syncFolder(of: path)
    }

    /// Gives the copy its name in place of a file with this name, and if root calls this, the owner of that file.
    func replace() throws(SQLiteDatabaseError) {
        var former = stat()
        let keepsOwner = geteuid() == 0 && stat(path, &former) == 0
        guard !keepsOwner || chown(partial, former.st_uid, former.st_gid) == 0, rename(partial, path) == 0 else {
            throw .cannotWrite(path)
        }
        try DatabaseFile.syncFolder(of: path)
    }
}

extension DatabaseFile {
    /// Waits until the disk contains a file or the names in a folder. An error names `path`.
    static func sync(_ file: String, for path: String) throws(SQLiteDatabaseError) {
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path) }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path) }
    }

    static func syncFolder(of path: String) throws(SQLiteDatabaseError) { try sync(folder(of: path), for: path) }

    /// Gives a file a further name. Throws if there is a file with this name. Other errors name `path`.
    static func link(_ file: String, _ name: String, for path: String) throws(SQLiteDatabaseError) {
        guard Glibc.link(file, name) == 0 else { throw errno == EEXIST ? .exists(path: name) : .cannotWrite(path) }
    }
}
