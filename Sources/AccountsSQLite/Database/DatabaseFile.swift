internal import Foundation
internal import GRDB

/// Opens and creates database files.
enum DatabaseFile {
    /// The absolute path, which stays valid if the working directory changes. SQLite does not interpret it as a special name such
    /// as `:memory:`.
    static func absolutePath(_ path: String) -> String {
        URL(fileURLWithPath: path).path
    }

    /// The name by which SQLite reads a file as it is: without its `-wal`, and without locks.
    static func immutable(_ path: String) -> String {
        URL(fileURLWithPath: path).absoluteString + "?immutable=1"
    }

    /// Opens a pool of connections to the database. Creates the file and migrates the tables if necessary.
    static func open(
        _ path: String,
        readTimeout: Duration,
        writeTimeout: BusyTimeout,
        log: WriteAheadLog
    ) throws(SQLiteDatabaseError) -> DatabasePool {
        // For an empty file, SQLite would delete the `-wal`.
        let files = FileManager.default
        guard files.fileExists(atPath: path) || !files.fileExists(atPath: path + "-wal") else {
            throw .missing(path: path)
        }
        try createIfMissing(path, for: path)
        try WriteAheadLog.checkOwner(path)
        let configuration = configuration(path, readTimeout: readTimeout, writeTimeout: writeTimeout)
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                // With NORMAL, which GRDB sets, a power failure may lose the last commits.
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                try pool.writeWithoutTransaction { try Schema.current.migrate($0, path) }
                // A full disk is no reason not to start.
                pool.writeWithoutTransaction { db in try? log.checkpoint(db) }
                return pool
            } catch let error as SQLiteDatabaseError {
                throw error
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && writeTimeout.waitBeforeRetry()
            {
                // SQLite does not wait when it changes a new file to WAL mode, so the `where` clause waits.
                continue
            } catch {
                throw reason(error, path)
            }
        }
    }

    /// The files `-wal` and `-shm` of an open database, by their paths. They stay the same until the last connection is closed.
    static func logFiles(of path: String) -> [String: FileIdentity] {
        // SQLite follows symbolic links.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let paths = [file + "-wal", file + "-shm"]
        return Dictionary(uniqueKeysWithValues: paths.compactMap { path in FileIdentity(path).map { (path, $0) } })
    }

    /// Creates an empty file that only its owner can read, if no file exists.
    ///
    /// Never opens an existing file, because closing it would release SQLite's locks on it in this process.
    ///
    /// - Parameter path: the path that an error names.
    static func createIfMissing(_ file: String, for path: String) throws(SQLiteDatabaseError) {
        let descriptor = Foundation.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor < 0 else {
            Foundation.close(descriptor)
            return
        }
        let code = errno
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        switch code {
        case _ where exists && isFolder.boolValue: throw .isFolder(path: path)
        case EEXIST: return
        case ENOENT, ENOTDIR: throw .folderMissing(path: path)
        default: throw .cannotWrite(path: path, reason: text(of: code))
        }
    }

    /// The system's message for an error number.
    static func text(of code: Int32) -> String {
        String(cString: strerror(code))
    }

    private static func configuration(_ path: String, readTimeout: Duration, writeTimeout: BusyTimeout) -> Configuration
    {
        var configuration = Configuration()
        configuration.label = "understudy"
        configuration.busyMode = .callback { _ in writeTimeout.waitBeforeRetry() }
        configuration.prepareDatabase { db in
            if db.configuration.readonly {
                // Readers hardly ever wait. GRDB uses a separate timeout for them.
                try db.execute(sql: "PRAGMA busy_timeout = \(Int(readTimeout / .milliseconds(1)))")
            } else {
                // Otherwise, what is deleted stays in the file until SQLite needs the space.
                try db.execute(sql: "PRAGMA secure_delete = ON")
                // WriteAheadLog makes the checkpoints.
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
                // Precedes any write, so that the database of another program stays unchanged.
                try Schema.current.check(db, path)
            }
        }
        return configuration
    }

    static func reason(_ error: any Error, _ path: String) -> SQLiteDatabaseError {
        guard let error = error as? DatabaseError else { return .cannotOpen(path: path, reason: "\(error)") }
        let message = error.message ?? "SQLite's error \(error.extendedResultCode.rawValue)"
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path)
        case .SQLITE_NOTADB: .notADatabase(path: path)
        case .SQLITE_CORRUPT: .damaged(path: path)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_FULL: .cannotWrite(path: path, reason: message)
        default: .cannotOpen(path: path, reason: message)
        }
    }
}
