internal import GRDB

extension SQLiteDatabase {
    /// The number of the migrations of a database that have run; 0 if there are no tables. Changes nothing.
    ///
    /// - Throws: ``SQLiteDatabaseError``.
    package static func version(path: String) throws(SQLiteDatabaseError) -> Int {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            return try DatabaseQueue(path: path, configuration: configuration).read { db in
                try Schema.check(db, path)
                return try Schema.version(db)
            }
        } catch let error as SQLiteDatabaseError {
            throw error
        } catch {
            throw DatabaseFile.reason(error, path)
        }
    }

    /// The number of all migrations.
    package static var latestVersion: Int { Schema.latestVersion }
}
