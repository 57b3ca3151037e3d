internal import Foundation
internal import GRDB
internal import Synchronization

/// The file `-wal`, which contains a database's last commits until a checkpoint copies them to the database file.
///
/// SQLite opens a database whose `-wal` is missing as if nothing was lost. Therefore `user_version` is 1 in the database file, and 0 in
/// the `-wal`, which SQLite reads first. So it is 1 only if the `-wal` is missing or damaged. A copy that SQLite makes, and the file that
/// the last connection leaves behind when it is closed, contain 0.
final class WriteAheadLog: Sendable {
    /// A checkpoint follows after that many changed rows.
    private static let interval = 1000

    /// How many rows the writing connection had changed at the last checkpoint.
    private let lastChanges = Mutex(0)

    /// Throws if a database has lost its last commits. Writes nothing.
    ///
    /// - Throws: ``SQLiteDatabaseError``; SQLite's errors.
    static func check(_ db: Database, _ path: String) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == 1 else { return }
        // It is 1 in the file as well if the process was killed during a checkpoint, which then has lost nothing.
        let file = FileHandle(forReadingAtPath: path + "-wal")
        defer { try? file?.close() }
        let magic = try? file?.read(upToCount: 4)
        guard let magic, [Data([0x37, 0x7F, 0x06, 0x82]), Data([0x37, 0x7F, 0x06, 0x83])].contains(magic) else {
            throw SQLiteDatabaseError.incomplete(path: path)
        }
    }

    /// Copies all commits to the database file, and marks it as one that needs the `-wal`. Leaves out commits that a reader does not see
    /// yet.
    func checkpoint(_ db: Database) throws {
        lastChanges.withLock { $0 = db.totalChangesCount }
        try db.execute(sql: "PRAGMA user_version = 1")
        defer { try? db.execute(sql: "PRAGMA user_version = 0") }
        // Passive, because the `-wal` must not become empty before the next commit.
        try db.checkpoint(.passive)
    }

    /// A checkpoint, if the last one was long ago. Its failure is not an error, because the commits are in the `-wal`.
    func checkpointIfLong(_ db: Database) {
        guard db.totalChangesCount - lastChanges.withLock({ $0 }) >= Self.interval else { return }
        try? checkpoint(db)
    }
}

extension SQLiteDatabase {
    /// Accepts that a database has lost the commits that were only in its `-wal`, so that it can be opened.
    ///
    /// - Returns: `false` if nothing is lost. Then nothing changes.
    /// - Throws: ``SQLiteDatabaseError``. If the file is inconsistent without the commits, it is damaged.
    package static func acceptLoss(path: String) throws(SQLiteDatabaseError) -> Bool {
        let path = DatabaseFile.absolutePath(path)
        guard FileManager.default.fileExists(atPath: path) else {
            throw .cannotOpen(path: path, reason: "there is no such file")
        }
        do {
            return try DatabaseQueue(path: path).writeWithoutTransaction { db in
                do { try WriteAheadLog.check(db, path) } catch SQLiteDatabaseError.incomplete {
                    guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else {
                        throw SQLiteDatabaseError.damaged(path: path)
                    }
                    try db.execute(sql: "PRAGMA user_version = 0")
                    return true
                }
                return false
            }
        } catch let error as SQLiteDatabaseError {
            throw error
        } catch {
            throw DatabaseFile.reason(error, path)
        }
    }
}
