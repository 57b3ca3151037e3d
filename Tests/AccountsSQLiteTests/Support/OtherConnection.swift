/// A second connection to the file, as if from another process.
final class OtherConnection: Sendable {
    let pool: SQLitePool

    /// Creates the file if it is missing.
    init(_ path: String) throws {
        close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        pool = SQLitePool(try SQLiteConnection(path))
    }

    /// Executes statements, which may leave a transaction open.
    func execute(_ sql: String) async throws { try await pool.write { try $0.execute(sql) } }

    /// The text or the number that a statement returns.
    func text(_ sql: String) async throws -> String? {
        try await pool.write { connection in
            guard let row = try connection.run(sql).first else { return nil }
            return try (try? row.integer(0)).map { "\($0)" } ?? row.optionalText(0)
        }
    }
}

extension TemporaryFolder {
    /// Opens a database in the folder, which is created if it is missing.
    func open(
        _ name: String = "understudy.sqlite",
        busyTimeout: Duration = .seconds(2),
        onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws -> SQLiteDatabase {
        try SQLiteDatabase(path: database(name), busyTimeout: busyTimeout, onError: onError)
    }

    /// Connects to the database as another process.
    func connect() throws -> OtherConnection { try OtherConnection(database()) }
}
