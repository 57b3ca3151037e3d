import GRDB

/// A second connection to the file, as if from another process.
final class OtherConnection: Sendable {
    private let queue: DatabaseQueue

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(10)
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Executes statements, which may leave a transaction open.
    func execute(_ sql: String) async throws {
        try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// The text that a statement returns.
    func text(_ sql: String) async throws -> String? {
        try await queue.writeWithoutTransaction { try String.fetchOne($0, sql: sql) }
    }
}
