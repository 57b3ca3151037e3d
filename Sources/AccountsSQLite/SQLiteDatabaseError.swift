/// Why a database could not be opened, or copied to a file.
public enum SQLiteDatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no folder to put the file in.
    case folderMissing(path: String)
    /// A folder is where the file should be.
    case isFolder(path: String)
    /// The file, or its folder, cannot be written.
    case cannotWrite(path: String, reason: String)
    /// The file is something else.
    case notADatabase(path: String)
    /// The file is a database that lacks something or contradicts itself.
    case damaged(path: String)
    /// The file is a database of some other program.
    case foreign(path: String)
    /// A newer version of the program has changed the database's tables.
    case newer(path: String)
    /// Another process has kept the file locked for longer than was to be waited.
    case locked(path: String)
    /// The file was moved or deleted while it was open.
    case gone(path: String)
    /// A backup would overwrite a file.
    case exists(path: String)
    /// Something else is in the way.
    case cannotOpen(path: String, reason: String)

    /// What is wrong, in one sentence without a full stop.
    public var description: String {
        switch self {
        case .folderMissing(let path): "cannot open the database '\(path)': there is no such folder"
        case .isFolder(let path): "cannot open the database '\(path)': it is a folder"
        case .cannotWrite(let path, let reason): "cannot write the database '\(path)': \(reason)"
        case .notADatabase(let path): "'\(path)' is not an SQLite database"
        case .damaged(let path): "the database '\(path)' is damaged; restore it from a backup"
        case .foreign(let path): "the database '\(path)' belongs to another program"
        case .newer(let path): "the database '\(path)' was changed by a newer version of this program"
        case .locked(let path): "the database '\(path)' is locked by another process"
        case .gone(let path): "the database '\(path)' was moved or deleted; put it back, or restart for a new one"
        case .exists(let path): "there is a file '\(path)' already"
        case .cannotOpen(let path, let reason): "cannot open the database '\(path)': \(reason)"
        }
    }
}
