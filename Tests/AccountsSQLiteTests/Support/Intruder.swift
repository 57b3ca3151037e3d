import GRDB

/// Another connection to the file, as another process would have one.
final class Intruder: Sendable {
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

    /// The one value that a statement returns.
    func text(_ sql: String) async throws -> String? {
        try await queue.writeWithoutTransaction { try String.fetchOne($0, sql: sql) }
    }
}
