internal import Accounts
public import BusinessLogic
internal import SessionStorage

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
        if let work = database.unitOfWork {
            work.add { try $0.executeChecked(steps) }
            for topic in topics { self.topics.publish(topic) }
            return
        }
        let publications = (self.topics as? DatabaseTopics)?.publications(of: topics)
        try await database.write(of: .pages) { try $0.executeChecked(steps + (publications?.steps ?? [])) }
        if let publications { return publications.finish() }
        for topic in topics { self.topics.publish(topic) }
    }
}

/// The error of a write that finds other data than those that its caller has read.
public struct DataHaveChanged: Error {
    package init() {}
}

extension SQLConnection {
    /// Executes statements.
    ///
    /// - Throws: ``DataHaveChanged`` if a step that requires a row returns none.
    package func executeChecked(_ steps: [SQLStep]) throws {
        for (step, rows) in zip(steps, try batch(steps)) where step.requiresRow && rows.isEmpty {
            throw DataHaveChanged()
        }
    }
}
