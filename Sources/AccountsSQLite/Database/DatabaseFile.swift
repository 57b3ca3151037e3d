import AccountsDatabase
import Glibc

/// Opens and creates database files.
enum DatabaseFile {
    /// The absolute path, which stays valid if the working directory changes. SQLite does not interpret it as a special name such
    /// as `:memory:`.
    static func absolutePath(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    /// The absolute path of the file to which symbolic links lead; the path itself if there is no file.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return absolutePath(path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The folder that contains the file at an absolute path.
    static func folder(of path: String) -> String { String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Opens a pool of connections to the database. Creates the file and migrates the tables if necessary. Waits for `busyTimeout` while
    /// another process writes.
    static func open(
        _ path: String,
        busyTimeout: Duration,
        log: WriteAheadLog
    ) throws(SQLiteDatabaseError) -> SQLitePool {
        // For an empty file, SQLite would delete the `-wal`.
        guard exists(path) || !exists(path + "-wal") else { throw .missing(path: path) }
        try createIfMissing(path, for: path)
        try WriteAheadLog.checkOwner(path)
        let deadline = ContinuousClock.now + busyTimeout
        while true {
            do {
                let writer = try openWriter(path, deadline)
                // A full disk is no reason not to start.
                try? log.checkpoint(writer)
                return SQLitePool(writer: writer) { try openReader(path, busyTimeout: busyTimeout) }
            } catch let error as SQLiteError where error.code == .busy && ContinuousClock.now < deadline {
                // SQLite does not wait when it changes a new file to WAL mode.
                usleep(2000)
            } catch {
                throw reason(error, path)
            }
        }
    }

    private static func openWriter(_ path: String, _ deadline: ContinuousClock.Instant) throws -> SQLiteConnection {
        let writer = try SQLiteConnection(path, busyDeadline: deadline)
        // Otherwise, what is deleted stays in the file until SQLite needs the space.
        try writer.execute("PRAGMA secure_delete = ON")
        // WriteAheadLog makes the checkpoints.
        try writer.execute("PRAGMA wal_autocheckpoint = 0")
        // Precedes any write, so that the database of another program stays unchanged.
        try Schema.current.check(writer, path)
        guard try writer.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
            throw SQLiteDatabaseError.cannotOpen(path: path, reason: "SQLite cannot use a write-ahead log for it")
        }
        // With NORMAL, a power failure may lose the last commits.
        try writer.execute("PRAGMA synchronous = FULL")
        try Schema.current.migrate(writer, path)
        return writer
    }

    /// Opens a connection that does not write.
    static func openReader(_ path: String, busyTimeout: Duration) throws -> SQLiteConnection {
        // Unlike a connection that SQLite opens for reading, it can create a missing `-wal`, and copies the `-wal` to the file if it is the
        // last one.
        let reader = try SQLiteConnection(path, busyDeadline: .now + busyTimeout)
        try reader.execute("PRAGMA query_only = ON")
        return reader
    }

    /// Creates an empty file that only its owner can read, if no file exists. An error names `path`.
    ///
    /// Never opens an existing file, because closing it would release SQLite's locks on it in this process.
    static func createIfMissing(_ file: String, for path: String) throws(SQLiteDatabaseError) {
        let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor < 0 else {
            close(descriptor)
            return
        }
        let code = errno
        var status = stat()
        switch code {
        case _ where stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR:
            throw .cannotOpen(path: path, reason: "it is a folder")
        case EEXIST: return
        case ENOENT, ENOTDIR: throw .cannotOpen(path: path, reason: "there is no such folder")
        default: throw .cannotWrite(path, code: code)
        }
    }

    /// Why a database cannot be opened.
    static func reason(_ error: any Error, _ path: String) -> SQLiteDatabaseError {
        if let error = error as? SQLiteDatabaseError { return error }
        if error is SQLValueError { return .damaged(path: path) }
        guard let error = error as? SQLiteError else { return .cannotOpen(path: path, reason: "\(error)") }
        return switch error.code {
        case .busy, .locked: .locked(path: path)
        case .notADatabase: .notADatabase(path: path)
        case .corrupt: .damaged(path: path)
        // SQLite's message does not say why.
        case .cannotOpen where access(path, R_OK | W_OK) != 0: .cannotWrite(path)
        case .readOnly, .cannotOpen, .permission, .full: .cannotWrite(path: path, reason: error.message)
        default: .cannotOpen(path: path, reason: error.message)
        }
    }
}

extension SQLiteDatabaseError {
    /// - Parameter code: the number of the system's error.
    static func cannotWrite(_ path: String, code: Int32 = errno) -> SQLiteDatabaseError {
        .cannotWrite(path: path, reason: String(cString: strerror(code)))
    }
}
