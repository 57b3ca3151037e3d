import BusinessLogic
import Synchronization

/// Lets one attempt at a time use a count of failures, in the order of arrival.
///
/// An attempt counts as a failure until its password has been verified. Without turns, simultaneous attempts would take those of each other for
/// failures, and reject a right password.
final class LoginTurns: Sendable {
    typealias Counter = AccountService.Counter

    private final class Line: Sendable {
        let lock = AsyncLock()
    }

    /// The counts that attempts use or wait for, with the number of those attempts.
    private let lines = Mutex<[Counter: (line: Line, attempts: Int)]>([:])

    /// Runs `body` after all others that have asked for the same count before.
    ///
    /// - Parameter limit: the maximum number of attempts that wait for the count.
    /// - Throws: what `body` throws; `CollaboratorError.overloaded` if too many attempts wait; `CancellationError` if the task is cancelled while
    ///   it waits. In the latter two cases, `body` does not run.
    func run<Result>(_ counter: Counter, limit: Int, _ body: () async throws -> Result) async throws -> Result {
        let line = lines.withLock { lines in
            let (line, attempts) = lines[counter] ?? (Line(), 0)
            lines[counter] = (line, attempts + 1)
            return line
        }
        defer {
            lines.withLock { lines in
                let attempts = lines[counter]?.attempts ?? 0
                lines[counter] = attempts > 1 ? (line, attempts - 1) : nil
            }
        }
        try await line.lock.acquire(limit: limit)
        defer { line.lock.release() }
        return try await body()
    }
}
