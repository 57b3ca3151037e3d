internal import Foundation
internal import Synchronization

/// How long the writing connection waits for another process to unlock the file: until the deadline of the current call.
///
/// SQLite's own busy timeout starts when a call gets the connection. So the last of many queued calls would wait for the
/// timeouts of all of them.
final class BusyTimeout: Sendable {
    private let deadline: Mutex<ContinuousClock.Instant>

    init(until deadline: ContinuousClock.Instant) {
        self.deadline = Mutex(deadline)
    }

    /// Sets the deadline for the call that now uses the connection.
    func setDeadline(_ deadline: ContinuousClock.Instant) {
        self.deadline.withLock { $0 = deadline }
    }

    /// Blocks the connection's own thread for 2 ms, unless the deadline has passed.
    ///
    /// - Returns: `false` if the deadline has passed, so that the call fails.
    func waitBeforeRetry() -> Bool {
        guard ContinuousClock.now < deadline.withLock({ $0 }) else { return false }
        usleep(2000)
        return true
    }
}
