import Glibc

/// The path of a database in a folder of its own. Its deinitialiser removes the folder.
final class TemporaryFile: Sendable {
    let folder = TemporaryFolder()
    let path: String

    /// Creates an empty file.
    init(_ name: String = "test.sqlite") {
        path = folder.database(name)
        close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
    }

    /// Whether there is a file whose name has an ending, such as `-wal`.
    func exists(_ ending: String) -> Bool { access(path + ending, F_OK) == 0 }

    /// Overwrites bytes of the file.
    func overwrite(_ bytes: [UInt8], at offset: Int) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        pwrite(descriptor, bytes, bytes.count, offset)
    }

    /// A connection to the file, which has a table of numbers.
    func connection() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path)
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("CREATE TABLE IF NOT EXISTS numbers (number INTEGER PRIMARY KEY) STRICT")
        return connection
    }

    /// A pool of connections to the file, which has a table of numbers.
    func pool(maximumReaders: Int = 5) throws -> SQLitePool {
        SQLitePool(writer: try connection(), maximumReaders: maximumReaders) { [path] in try SQLiteConnection(path) }
    }
}

extension SQLiteConnection {
    func insert(_ number: Int) throws { try run("INSERT INTO numbers VALUES (?1)", number) }

    func count() throws -> Int { try run("SELECT count(*) FROM numbers")[0].number(0) }

    /// Runs for years.
    func count(to end: Int) throws {
        try run(
            "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT max(i) FROM n",
            end
        )
    }
}

extension SQLitePool {
    func write<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await write(deadline: .now + .seconds(60), body)
    }

    func read<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await read(deadline: .now + .seconds(60), body)
    }
}

/// The code of the error that `body` throws.
func code(_ body: () throws -> Void) -> SQLiteError.Code? { #expect(throws: SQLiteError.self, performing: body)?.code }

extension Data {
    /// Writes a file.
    func write(_ path: String) throws { try write(to: URL(fileURLWithPath: path)) }
}
