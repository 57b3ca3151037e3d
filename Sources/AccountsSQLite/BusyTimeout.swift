internal import Foundation
internal import Synchronization

/// How long the connection that writes waits for another process to unlock the file.
///
/// SQLite's own busy timeout begins anew with every call, so that the last of many calls that wait in a row would wait
/// for as long as all of them.
final class BusyTimeout: Sendable {
    private let end: Mutex<ContinuousClock.Instant>

    init(until end: ContinuousClock.Instant) {
        self.end = Mutex(end)
    }

    /// Sets how long the call that now has the connection waits.
    func last(until end: ContinuousClock.Instant) {
        self.end.withLock { $0 = end }
    }

    /// Waits a moment, and says whether to try once more. Blocks the thread, which is the connection's own.
    func tryAgain() -> Bool {
        guard ContinuousClock.now < end.withLock({ $0 }) else { return false }
        usleep(2000)
        return true
    }
}
