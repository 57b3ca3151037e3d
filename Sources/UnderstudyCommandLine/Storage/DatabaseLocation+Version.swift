import AccountsPostgreSQL
import AccountsSQLite
import PostgreSQL

extension DatabaseLocation {
    /// The number of the migrations that have run; 0 if there are no tables; `nil` if there is no file. Changes nothing.
    ///
    /// - Throws: the errors of the database, if it cannot be read, or its tables are from another program or a newer version.
    func version() async throws -> Int? {
        switch self {
        case .file(let file):
            return exists ? try SQLiteDatabase.version(path: file.path) : nil
        case .server(let configuration):
            return try await read(configuration) { try await $0.version() }
        }
    }

    /// What is known to be damaged, a line for each; empty if nothing is. Changes nothing.
    ///
    /// - Throws: the errors of the database, if it cannot be read.
    func damage() async throws -> [String] {
        switch self {
        case .file(let file): return try SQLiteDatabase.damage(path: file.path)
        case .server(let configuration):
            let count = try await read(configuration) { try await $0.checksumFailures }
            return count > 0 ? ["PostgreSQL has found \(count) pages whose checksums are wrong"] : []
        }
    }

    private func read<Value: Sendable>(
        _ configuration: PostgreSQLConfiguration,
        _ body: (PostgreSQLDatabase) async throws -> Value
    ) async throws -> Value {
        let pool = PostgreSQLPool(configuration, logger: .silent)
        let result: Result<Value, any Error>
        do {
            try await pool.check()
            result = .success(try await body(PostgreSQLDatabase(pool: pool)))
        } catch {
            result = .failure(explained(error))
        }
        await pool.close(deadline: .now)
        return try result.get()
    }

    /// The number of all migrations that this program knows.
    var latestVersion: Int {
        switch self {
        case .file: SQLiteDatabase.latestVersion
        case .server: PostgreSQLDatabase.latestVersion
        }
    }
}
