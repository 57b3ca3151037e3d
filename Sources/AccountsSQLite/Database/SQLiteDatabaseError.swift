/// Why a database cannot be opened, used or backed up.
public enum SQLiteDatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file or its folder is not writable.
    case cannotWrite(path: String, reason: String)
    /// The file is not an SQLite database.
    case notADatabase(path: String)
    /// The database is incomplete or inconsistent.
    case damaged(path: String)
    /// The file `-wal`, which contains the last changes, is missing or damaged.
    case incomplete(path: String)
    /// The file `-wal` belongs to another database: only one of both files was replaced.
    case foreignLog(path: String)
    /// The database belongs to another program.
    case foreign(path: String)
    /// A newer version of this program has changed the tables.
    case newer(path: String, version: Int, latest: Int)
    /// Another process has locked the file for longer than the busy timeout.
    case locked(path: String)
    /// Another process uses the file.
    case inUse(path: String, process: Int32)
    /// There is no file, but a `-wal` with the last changes of one.
    case missing(path: String)
    /// The file was moved or deleted while it was open.
    case gone(path: String)
    /// The file `-wal` or `-shm` was moved or deleted while the database was open.
    case logGone(path: String, log: String)
    /// A backup would overwrite the file at the path.
    case exists(path: String)
    /// A restored backup would replace itself.
    case sameFile(path: String)
    /// There is another reason: SQLite reports another error, or the path is that of a folder, or in none.
    case cannotOpen(path: String, reason: String)

    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason): "cannot write the database '\(path)': \(reason)"
        case .notADatabase(let path): "'\(path)' is not an SQLite database"
        case .damaged(let path): "the database '\(path)' is damaged; restore a backup with 'restore FILE'"
        case .incomplete(let path):
            """
            the database '\(path)' is incomplete, because '\(path)-wal' with its last changes is missing or damaged; \
            put that file back, restore a backup, or lose these changes with 'database accept-loss'
            """
        case .foreignLog(let path):
            """
            '\(path)-wal' belongs to another database than '\(path)'; put the right file back, or restore a backup with 'restore FILE'
            """
        case .foreign(let path): "the database '\(path)' belongs to another program"
        case .newer(let path, let version, let latest):
            """
            the tables of the database '\(path)' have version \(version), and this program expects at most \(latest): a newer version has \
            changed them; run that version, or restore a backup from before
            """
        case .locked(let path): "the database '\(path)' is locked by another process"
        case .inUse(let path, let process):
            "another process (\(process)) uses the database '\(path)'; stop it first"
        case .missing(let path):
            """
            the database '\(path)' is missing, but '\(path)-wal' with its last changes is there; put '\(path)' back, restore a backup \
            with 'restore FILE', or delete '\(path)-wal' and '\(path)-shm' for a new database
            """
        case .gone(let path):
            "the database '\(path)' was moved or deleted; put it back, or restore a backup with 'restore FILE'"
        case .logGone(let path, let log):
            """
            '\(log)' was moved or deleted while the database '\(path)' is open; put it back, or stop the server, which then writes \
            its last changes to '\(path)'
            """
        case .exists(let path): "there is a file '\(path)' already"
        case .sameFile(let path): "'\(path)' is the database itself, not a backup of it"
        case .cannotOpen(let path, let reason): "cannot open the database '\(path)': \(reason)"
        }
    }
}
