import Accounts
public import BusinessLogic
import SessionStorage

/// The tables of your pages, in the configured database: SQLite or PostgreSQL.
///
/// You write the SQL, and the migrations that create the tables. The names of your tables and indexes begin with `own_`, so that they are
/// never those of Understudy. A text with U+0000 cannot be stored: a statement with one throws. No value of a field contains it.
///
/// Any number of tasks may use it at the same time. If the database is not available, its methods throw
/// ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
public struct PageDatabase: Sendable {
    private let database: any SQLDatabase
    private let topics: any TopicPublisher

    /// - Parameter topics: publishes the topics of the writes. Those of several processes are published with the transaction.
    package init(_ database: any SQLDatabase, topics: any TopicPublisher) {
        self.database = database
        self.topics = topics
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
        try await database.read(query, of: .pages) { try $0.map { try decode($0) } }
    }

    /// Executes statements with the commit of the current event, and publishes the topics that they change.
    ///
    /// In an event of `serve --sessions database`, all of them are committed with the session and the response, or nothing is. Until then, no
    /// query returns what they write, not even one of the event itself. If a step with `requiringRow()` returns no row at the commit, nothing
    /// is committed, and the event runs again. Otherwise, such as with `--sessions memory`, they are executed at once in one transaction.
    ///
    /// - Parameters:
    ///   - steps: statements with parameters, in their order.
    ///   - topics: what the statements change. Controllers that follow one of them read it again.
    /// - Throws: ``DataHaveChanged`` if the statements are executed at once, and a step that requires a row returns none. Nothing has
    ///   changed then: read the data again.
    public func stage(_ steps: [SQLStep], publishing topics: Topic...) async throws {
        guard let work = database.unitOfWork else {
            return try await write(publishing: topics) { try $0.execute(steps) }
        }
        work.add { try $0.executeChecked(steps) }
        for topic in topics { self.topics.publish(topic) }
    }

    /// Executes any number of queries and statements in one transaction at once, and publishes the topics that it changes.
    ///
    /// The transaction is not part of an event: what it has written stays if the event fails, and is written again if the event runs again. In an
    /// event, use ``stage(_:publishing:)``.
    ///
    /// - Parameters:
    ///   - topics: what the transaction changes. Controllers that follow one of them read it again.
    ///   - body: executes queries and statements. It waits for the database on a thread of its own, and runs again if the database has rolled
    ///     the transaction back because of a deadlock.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, after the transaction has been rolled back.
    public func write<Result: Sendable>(
        publishing topics: Topic...,
        body: @Sendable (PageTransaction) throws -> Result
    ) async throws -> Result {
        try await write(publishing: topics, body)
    }

    private func write<Result: Sendable>(
        publishing topics: [Topic],
        _ body: @Sendable (PageTransaction) throws -> Result
    ) async throws -> Result {
        let publications = (self.topics as? DatabaseTopics)?.publications(of: topics)
        let result = try await database.write(of: .pages) { connection in
            let result = try body(PageTransaction(connection: connection))
            if let publications { try connection.batch(publications.steps) }
            return result
        }
        if let publications { publications.finish() } else { topics.forEach(self.topics.publish) }
        return result
    }
}

/// A transaction of ``PageDatabase/write(publishing:body:)``. Only its function may use it.
public struct PageTransaction {
    fileprivate let connection: any SQLConnection

    /// Executes a query. It returns what the transaction has written.
    ///
    /// - Parameters:
    ///   - query: a statement with parameters.
    ///   - decode: makes a value of each row.
    /// - Returns: the values in the order of the rows.
    public func read<Value>(_ query: SQLStep, _ decode: (SQLRow) throws -> Value) throws -> [Value] {
        try connection.execute(query).map { try decode($0) }
    }

    /// Executes statements in their order, in PostgreSQL in one round trip.
    ///
    /// - Throws: ``DataHaveChanged`` if a step that requires a row returns none.
    public func execute(_ steps: [SQLStep]) throws { try connection.executeChecked(steps) }
}

/// The error of a write that finds other data than those that its caller has read.
public struct DataHaveChanged: Error {
    /// Creates the error.
    public init() {}
}

extension SQLConnection {
    /// Throws ``DataHaveChanged`` if a step that requires a row returns none.
    package func executeChecked(_ steps: [SQLStep]) throws {
        for (step, rows) in zip(steps, try batch(steps)) where step.requiresRow && rows.isEmpty {
            throw DataHaveChanged()
        }
    }
}
