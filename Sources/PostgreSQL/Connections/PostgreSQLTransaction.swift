internal import Synchronization

/// A transaction in the body of ``PostgreSQLPool/transaction(isolation:deadline:key:_:)``.
package final class PostgreSQLTransaction: Sendable {
    let number: Int
    let isolation: PostgreSQLIsolation
    let deadline: ContinuousClock.Instant
    let key: String?
    private let driver: PoolDriver
    private let ended = Atomic(false)

    private static let count = Atomic(0)

    init(driver: PoolDriver, isolation: PostgreSQLIsolation, deadline: ContinuousClock.Instant, key: String?) {
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        self.driver = driver
        self.isolation = isolation
        self.deadline = deadline
        self.key = key
    }

    /// Executes a statement. One statement runs at a time. After an error, the transaction can only be rolled back.
    ///
    /// - Throws: ``PostgreSQLError``; `CancellationError` if the task is cancelled.
    @discardableResult
    package func execute(
        _ statement: PostgreSQLStatement,
        _ parameters: PostgreSQLValue...
    ) async throws -> PostgreSQLResult {
        let results = try await batch([PostgreSQLStep(statement, parameters)])
        return results[0]
    }

    /// Executes several statements in one round trip, and returns their results.
    @discardableResult
    package func batch(_ steps: [PostgreSQLStep]) async throws -> [PostgreSQLResult] {
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
