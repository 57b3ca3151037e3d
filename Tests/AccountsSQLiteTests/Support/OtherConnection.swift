import Foundation
import AccountsDatabase
import AccountsSQLite

/// A second connection to the file, as if from another process.
final class OtherConnection: Sendable {
    private let queue: SQLiteQueue

    /// Creates the file if it is missing.
    init(_ path: String) throws {
        close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        queue = SQLiteQueue(try SQLiteConnection(path))
    }

    /// Executes statements, which may leave a transaction open.
    func execute(_ sql: String) async throws {
        try await queue.run { connection in
            connection.busyDeadline = .now + .seconds(10)
            try connection.execute(sql)
        }
    }

    /// The text or the number that a statement returns.
    func text(_ sql: String) async throws -> String? {
        try await queue.run { connection in
            connection.busyDeadline = .now + .seconds(10)
            guard let row = try connection.run(sql).first else { return nil }
            return try (try? row.integer(0)).map { "\($0)" } ?? row.optionalText(0)
        }
    }
}
