// An embedder writes statements without a further import.
@_exported public import AccountsDatabase
import AccountsSQLite
public import BusinessLogic

extension PageDatabase {
    /// A database in memory: for tests.
    ///
    /// - Parameters:
    ///   - migrations: create the tables.
    ///   - topics: publishes the topics of writes.
    /// - Throws: an error that contains SQLite's message, if a migration is invalid.
    public static func inMemory(
        _ migrations: [SQLText],
        topics: any TopicPublisher = Topics()
    ) throws -> PageDatabase {
        PageDatabase(try SQLiteDatabase.inMemory(pages: migrations), topics: topics)
    }
}
