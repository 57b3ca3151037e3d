internal import Foundation
internal import GRDB

/// Opens and creates database files.
enum DatabaseFile {
    /// The path from the root on: no other folder, and none of the names that SQLite takes for something else than a file.
    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).path
    }

    /// Opens or creates the database, its tables up to date.
    static func open(
        _ path: String,
        busyTimeout: Duration,
        patience: BusyTimeout
    ) throws(SQLiteDatabaseError) -> DatabasePool {
        try createIfMissing(path, for: path)
        let configuration = configuration(path, busyTimeout: busyTimeout, patience: patience)
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                // GRDB sets NORMAL, with which the last commits may be lost when the power fails.
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                try Schema.migrate(pool)
                return pool
            } catch let error as SQLiteDatabaseError {
                throw error
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && patience.tryAgain() {
                // SQLite does not wait when it changes to WAL, which it does with a new file.
                continue
            } catch {
                throw reason(error, path)
            }
        }
    }

    /// Creates an empty file that only its owner may read, if there is none.
    ///
    /// A file that exists is not opened here, not even for a look: closing it would take away the locks that SQLite has on
    /// it in this process.
    ///
    /// - Parameter path: what an error says cannot be had, where that is not the file itself.
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

    /// What an error number of the system means.
    static func text(of code: Int32) -> String {
        String(cString: strerror(code))
    }

    private static func configuration(_ path: String, busyTimeout: Duration, patience: BusyTimeout) -> Configuration {
        var configuration = Configuration()
        configuration.label = "understudy"
        configuration.busyMode = .callback { _ in patience.tryAgain() }
        configuration.prepareDatabase { db in
            if db.configuration.readonly {
                // Reading hardly ever waits; GRDB's timeout for it is one of its own.
                try db.execute(sql: "PRAGMA busy_timeout = \(Int(busyTimeout / .milliseconds(1)))")
            } else {
                // Before anything is written.
                try Schema.check(db, path)
            }
        }
        return configuration
    }

    private static func reason(_ error: any Error, _ path: String) -> SQLiteDatabaseError {
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
