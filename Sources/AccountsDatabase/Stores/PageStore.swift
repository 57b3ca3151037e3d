internal import Accounts
package import BusinessLogic
internal import SessionStorage

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

/// The tables of an embedder in the database of the accounts.
package struct PageStore: Sendable {
    private let database: any SQLDatabase
    private let topics: any TopicPublisher

    /// - Parameter topics: publishes the topics of the writes. Those of several processes are published with the transaction.
    package init(_ database: any SQLDatabase, topics: any TopicPublisher) {
        self.database = database
        self.topics = topics
    }

    /// Executes a query.
    package func read<Value: Sendable>(
        _ query: SQLStep,
        _ decode: @escaping @Sendable (SQLRow) throws -> Value
    ) async throws -> [Value] {
        try await database.read(query, of: .pages) { try $0.map { try decode($0) } }
    }

    /// Executes statements in one transaction, and publishes topics with its commit. During an event whose changes are committed together,
    /// the commit of the event does both.
    ///
    /// - Throws: ``DataHaveChanged`` outside of such an event, if a step that requires a row returns none.
    package func write(_ steps: [SQLStep], publishing topics: [Topic]) async throws {
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
