internal import AccountsDatabase
package import BusinessLogic
package import SQLStatements
internal import SQLite

/// The tables of an embedder in an SQLite database that is only in memory.
package final class MemoryPageStore: PageStore {
    private let queue: SQLiteQueue
    private let topics: any TopicPublisher

    /// Creates the tables.
    ///
    /// - Parameters:
    ///   - migrations: the embedder's migrations.
    ///   - topics: publishes the topics of the writes, at once.
    package init(_ migrations: [SQLText], topics: any TopicPublisher) throws {
        self.topics = topics
        do {
            let connection = try SQLiteConnection.inMemory()
            try connection.inTransaction(.immediate) { try connection.migrate(migrations, .pages, ":memory:") }
            queue = SQLiteQueue(connection)
        } catch let error as SQLiteError {
            throw DatabaseFile.reason(error, ":memory:")
        }
    }

    package func read<Value: Sendable>(
        _ query: SQLStep,
        _ decode: @escaping @Sendable (any SQLRow) throws -> Value
    ) async throws -> [Value] {
        try await transaction { try $0.run(query).map { try decode($0) } }
    }

    package func write(_ steps: [SQLStep], publishing topics: [Topic]) async throws {
        try await transaction { try $0.executeChecked(steps) }
        for topic in topics { self.topics.publish(topic) }
    }

    /// A copy of everything in the database now.
    ///
    /// - Throws: the error of SQLite.
    package func contents() async throws -> SQLiteContents {
        try await queue.run { try SQLiteContents(of: $0) }
    }

    /// Replaces everything in the database by what it contained at another moment. Publishes no topics.
    ///
    /// - Throws: the error of SQLite. Then nothing has changed.
    package func restore(_ contents: SQLiteContents) async throws {
        try await queue.run { try contents.restore(in: $0) }
    }

    private func transaction<Value: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await queue.run { connection in try connection.inTransaction(.immediate) { try body(connection) } }
    }
}
