import BusinessLogic
import Synchronization

/// Lets one attempt at a time use a count of failures, in the order of arrival.
///
/// An attempt counts as a failure until its password has been verified. Without turns, simultaneous attempts would take those of each other for
/// failures, and reject a right password.
final class LoginTurns: Sendable {
    enum Turn: Hashable {
        case counter(AccountService.Counter)
        /// A name without an account. By its count, which it shares with other names, its attempts would wait longer than those of accounts.
        case name(AccountKey)
    }

    private final class Line: Sendable {
        let lock = AsyncLock()
    }

    /// The turns that attempts have or wait for, with the number of those attempts.
    private let lines = Mutex<[Turn: (line: Line, attempts: Int)]>([:])

    /// Runs `body` after all others that have asked for the same turn before. If `body` does not run, throws `CollaboratorError.overloaded`
    /// because more than `limit` attempts wait, or `CancellationError` because the task is cancelled while it waits.
    func run<Result>(_ turn: Turn, limit: Int, _ body: () async throws -> Result) async throws -> Result {
        let line = lines.withLock { lines in
            let (line, attempts) = lines[turn] ?? (Line(), 0)
            lines[turn] = (line, attempts + 1)
            return line
        }
        defer {
            lines.withLock { lines in
                let attempts = lines[turn]?.attempts ?? 0
                lines[turn] = attempts > 1 ? (line, attempts - 1) : nil
            }
        }
        try await line.lock.acquire(limit: limit)
        defer { line.lock.release() }
        return try await body()
    }
}
