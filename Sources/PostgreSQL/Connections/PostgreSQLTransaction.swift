internal import Synchronization
package import SQLStatements

/// A transaction in the body of ``PostgreSQLPool/transaction(deadline:key:_:)``.
package final class PostgreSQLTransaction: Sendable {
    let number: Int
    let deadline: ContinuousClock.Instant
    let key: String?
    private let driver: PoolDriver
    private let ended = Atomic(false)

    private static let count = Atomic(0)

    init(driver: PoolDriver, deadline: ContinuousClock.Instant, key: String?) {
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        self.driver = driver
        self.deadline = deadline
        self.key = key
    }

    /// Executes a statement. One statement runs at a time. After an error, the transaction can only be rolled back.
    ///
    /// - Throws: ``PostgreSQLError``; `CancellationError` if the task is cancelled.
    @discardableResult
    package func execute(_ step: SQLStep) async throws -> PostgreSQLResult {
        let results = try await batch([step])
        return results[0]
    }

    /// Executes several statements in one round trip, and returns their results.
    @discardableResult
    package func batch(_ steps: [SQLStep]) async throws -> [PostgreSQLResult] {
        for step in steps { try step.check() }
        return try await driver.run(steps, in: self)
    }

    /// Whether the transaction is committed or rolled back.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// Rejects further statements.
    func end() {
        ended.store(true, ordering: .releasing)
    }
}
