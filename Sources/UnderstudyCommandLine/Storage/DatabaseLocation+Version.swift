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
            let pool = try PostgreSQLPool(configuration, logger: .silent)
            let result: Result<Int, any Error>
            do {
                try await pool.check()
                result = .success(try await PostgreSQLDatabase(pool: pool).status().version())
            } catch {
                result = .failure(explained(error))
            }
            await pool.close(deadline: .now)
            return try result.get()
        }
    }

    /// The number of all migrations that this program knows.
    var latestVersion: Int {
        switch self {
        case .file: SQLiteDatabase.latestVersion
        case .server: PostgreSQLDatabase.latestVersion
        }
    }
}
