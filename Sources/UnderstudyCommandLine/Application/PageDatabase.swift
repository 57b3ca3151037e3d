// An embedder writes statements without a further import.
@_exported public import AccountsDatabase
import AccountsSQLite
public import BusinessLogic

/// The tables of your pages, in the configured database: SQLite or PostgreSQL.
///
/// You write the SQL, and the migrations that create the tables. The names of your tables and indexes begin with `own_`, so that they are
/// never those of Understudy. A text with U+0000 cannot be stored: a statement with one throws. No value of a field contains it.
///
/// Any number of tasks may use it at the same time. If the database is not available, its methods throw
/// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
public struct PageDatabase: Sendable {
    private let store: PageStore

    init(_ store: PageStore) {
        self.store = store
    }

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
        PageDatabase(PageStore(try SQLiteDatabase.inMemory(pages: migrations), topics: topics))
    }

    /// Executes a query.
    ///
    /// During an event, it does not return what the event itself has written and not committed yet.
    ///
    /// - Parameters:
    ///   - query: a statement with parameters.
    ///   - decode: makes a value of each row.
    /// - Returns: the values in the order of the rows.
    public func read<Value: Sendable>(
        _ query: SQLStep,
        _ decode: @escaping @Sendable (SQLRow) throws -> Value
    ) async throws -> [Value] {
        try await store.read(query, decode)
    }

    /// Executes statements in one transaction, and publishes the topics that they change.
    ///
    /// In an event of `serve --sessions database`, the commit of the event executes them: all of them with the session and the response, or
    /// nothing. If a step with `requiringRow()` returns no row then, nothing is committed, and the event runs again. Otherwise, they are
    /// executed at once.
    ///
    /// - Parameters:
    ///   - steps: statements with parameters, in their order.
    ///   - topics: what the statements change. Controllers that follow one of them read it again.
    /// - Throws: ``DataHaveChanged`` if the statements are executed at once, and a step that requires a row returns none. Nothing has
    ///   changed then: read the data again.
    public func write(_ steps: SQLStep..., publishing topics: Topic...) async throws {
        do {
            try await store.write(steps, publishing: topics)
        } catch is AccountsDatabase.DataHaveChanged {
            throw DataHaveChanged()
        }
    }

    /// A step that requires a row has returned none: other data are stored than those that you have read.
    public struct DataHaveChanged: Error {}
}
