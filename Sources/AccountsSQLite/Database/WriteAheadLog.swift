import Glibc
import Synchronization

/// The file `-wal`, which contains a database's last commits until a checkpoint copies them to the database file.
///
/// SQLite opens a database whose `-wal` is missing as if nothing was lost. Therefore `user_version` is 1 in the database file, and 0 in
/// the `-wal`, which SQLite reads first. So it is 1 only if the `-wal` is missing or damaged. A copy that SQLite makes, and the file that
/// the last connection leaves behind when it is closed, contain 0.
///
/// SQLite also uses a `-wal` that belongs to another file, and thereby destroys the database. Therefore each checkpoint and each copy has a
/// random number as its `application_id`. After a checkpoint, the `-wal` begins with the number of the file.
final class WriteAheadLog: Sendable {
    /// A checkpoint follows after that many changed rows.
    private static let interval = 1000

    /// How many rows the writing connection had changed at the last checkpoint.
    private let lastChanges = Mutex(0)

    /// Throws if a database has lost its last commits. Writes nothing. If `isImmutable`, no process changes the file.
    static func check(_ db: SQLiteConnection, _ path: String, isImmutable: Bool) throws {
        if try isComplete(db, path) { return }
        if !isImmutable {
            // Another process may be beginning the `-wal` anew, which takes as long as the disk. It is not while this connection may write.
            let writer = try SQLiteConnection(path, busyDeadline: .now + .seconds(2))
            if try writer.inTransaction(.immediate, { try isComplete(writer, path) }) { return }
        }
        throw SQLiteDatabaseError.incomplete(path: path)
    }

    private static func isComplete(_ db: SQLiteConnection, _ path: String) throws -> Bool {
        // It is 1 in the `-wal` as well if the process was killed during a checkpoint, which then has lost nothing.
        try db.integer("PRAGMA user_version") != 1 || beginsWithValidFrame(path)
    }

    /// Whether the first frame of the `-wal` and what precedes it have the right checksums. Otherwise, SQLite uses nothing of the file.
    private static func beginsWithValidFrame(_ path: String) -> Bool {
        guard let file = FileReader(path + "-wal"), let head = file.read(32, at: 0) else { return false }
        let (magic, pageSize) = (number(head[0...]), number(head[8...]))
        guard magic == 0x377F_0682 || magic == 0x377F_0683, (512...65536).contains(pageSize),
            let frame = file.read(24 + Int(pageSize), at: 32)
        else { return false }
        let isBigEndian = magic & 1 == 1
        var sum = Checksum()
        sum.add(head[..<24], isBigEndian: isBigEndian)
        guard sum == Checksum(first: number(head[24...]), second: number(head[28...])) else { return false }
        sum.add(frame[..<8] + frame[24...], isBigEndian: isBigEndian)
        return frame[8..<16] == head[16..<24]
            && sum == Checksum(first: number(frame[16...]), second: number(frame[20...]))
    }

    /// The sums that the `-wal` contains of its header and of each frame (https://sqlite.org/fileformat2.html#checksum_algorithm).
    private struct Checksum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0

        /// Adds bytes, whose number is a multiple of eight.
        mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
            var offset = bytes.startIndex
            while offset + 8 <= bytes.endIndex {
                let words = (WriteAheadLog.number(bytes[offset...]), WriteAheadLog.number(bytes[(offset + 4)...]))
                first &+= (isBigEndian ? words.0 : words.0.byteSwapped) &+ second
                second &+= (isBigEndian ? words.1 : words.1.byteSwapped) &+ first
                offset += 8
            }
        }
    }

    /// The number in the first four bytes.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Throws if the `-wal` belongs to another file than the one at a path. Writes nothing, and must precede the first connection that can write:
    /// it copies the `-wal` to the file when it is closed.
    static func checkOwner(_ path: String) throws(SQLiteDatabaseError) {
        // A checkpoint of another process can come between the reads of both files, but not each time.
        for _ in 0..<3 {
            let numbers = numbers(inLogOf: path)
            // If the file cannot be read, opening it fails with the reason.
            guard !numbers.isEmpty, let own = number(inFileAt: path), !numbers.contains(own) else { return }
        }
        throw .foreignLog(path: path)
    }

    /// The `application_id` in a file, without its `-wal`.
    private static func number(inFileAt path: String) -> UInt32? {
        // SQLite itself reads the file, because closing another descriptor of it would release SQLite's locks on it in this process.
        let number = try? SQLiteConnection(path, .immutable).integer("PRAGMA application_id")
        return number.map { UInt32(truncatingIfNeeded: $0) }
    }

    /// The values of `application_id` in the `-wal`: of each first page of the database that it contains.
    private static func numbers(inLogOf path: String) -> Set<UInt32> {
        // The format is in https://sqlite.org/fileformat2.html#walformat
        guard let file = FileReader(path + "-wal") else { return [] }
        guard let head = file.read(32, at: 0) else { return [] }
        let frameSize = 24 + Int(number(head[8...]))
        var numbers: Set<UInt32> = []
        var offset = 32
        // Behind the last frame, there can be older ones with another salt.
        while let frame = file.read(24, at: offset), frame[8..<16] == head[16..<24] {
            if number(frame[0...]) == 1, let page = file.read(72, at: offset + 24) {
                numbers.insert(number(page[68...]))
            }
            offset += frameSize
        }
        return numbers
    }

    /// Makes a copy independent of the `-wal` of its original.
    static func separate(_ copy: SQLiteConnection) throws {
        try renumber(copy)
        try copy.execute("PRAGMA user_version = 0")
    }

    private static func renumber(_ db: SQLiteConnection) throws {
        try db.execute("PRAGMA application_id = \(Int32.random(in: 1 ... .max))")
    }

    /// Copies all commits to the database file, and marks it as one that needs the `-wal`. Leaves out commits that a reader does not see
    /// yet.
    func checkpoint(_ db: SQLiteConnection) throws {
        lastChanges.withLock { $0 = db.totalChanges }
        // Until the mark is removed, which a full disk can prevent, the database needs the `-wal`, also after the last connection.
        db.keepsLog = true
        try db.execute("PRAGMA user_version = 1")
        defer { if (try? db.execute("PRAGMA user_version = 0")) != nil { db.keepsLog = false } }
        // The `-wal` contains the former number already.
        try Self.renumber(db)
        // Passive, because the `-wal` must not become empty before the next commit.
        try db.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }

    /// A checkpoint, if the last one was long ago. Its failure is not an error, because the commits are in the `-wal`.
    func checkpointIfLong(_ db: SQLiteConnection) {
        guard db.totalChanges - lastChanges.withLock({ $0 }) >= Self.interval else { return }
        try? checkpoint(db)
    }
}

private struct FileReader: ~Copyable {
    private let descriptor: Int32

    /// Returns `nil` if the file cannot be opened.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Returns `nil` if the file has no such part, or it cannot be read.
    func read(_ count: Int, at offset: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, offset) == count ? bytes : nil
    }
}

extension SQLiteDatabase {
    /// Accepts that a database has lost the commits that were only in its `-wal`, so that it can be opened. Returns `false`, and changes
    /// nothing, if nothing is lost. Throws ``SQLiteDatabaseError/damaged(path:)`` if the file is inconsistent without the commits.
    package static func acceptLoss(path: String) throws(SQLiteDatabaseError) -> Bool {
        let path = DatabaseFile.absolutePath(path)
        guard DatabaseFile.exists(path) else { throw .cannotOpen(path: path, reason: "there is no such file") }
        try WriteAheadLog.checkOwner(path)
        do {
            let db = try SQLiteConnection(path)
            do { try WriteAheadLog.check(db, path, isImmutable: false) } catch SQLiteDatabaseError.incomplete {
                guard try db.texts("PRAGMA integrity_check(1)") == ["ok"] else {
                    throw SQLiteDatabaseError.damaged(path: path)
                }
                try db.execute("PRAGMA user_version = 0")
                return true
            }
            return false
        } catch {
            throw DatabaseFile.reason(error, path)
        }
    }
}
