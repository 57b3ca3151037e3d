import Glibc

struct OpenFile: Sendable {
    let log: WriteAheadLog
    private let path: String
    private let identity: FileIdentity?
    /// The identities of its `-wal` and its `-shm`, by their paths. They stay the same until the last connection is closed.
    private let logFiles: [String: FileIdentity]

    /// - Parameter path: the absolute path of a file that has just been opened.
    init(_ path: String, log: WriteAheadLog) {
        self.path = path
        self.log = log
        identity = FileIdentity(path)
        // SQLite follows symbolic links.
        let file = DatabaseFile.resolved(path)
        let paths = [file + "-wal", file + "-shm"]
        logFiles = Dictionary(uniqueKeysWithValues: paths.compactMap { path in FileIdentity(path).map { (path, $0) } })
    }

    /// Throws if the file is no longer at its path. SQLite would continue to use a deleted file, whose contents are lost when the process
    /// is killed.
    func require() throws(SQLiteDatabaseError) {
        guard let identity, identity == FileIdentity(path) else { throw .gone(path: path) }
        for (path, file) in logFiles where file != FileIdentity(path) {
            throw .logGone(path: self.path, log: path)
        }
    }
}

/// The identity of a file. Another file at the same path has another identity.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t

    /// The identity of the file at the path; `nil` if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        node = status.st_ino
    }
}
