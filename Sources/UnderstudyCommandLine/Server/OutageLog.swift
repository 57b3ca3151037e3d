import Logging
import Synchronization

/// Logs why calls to the database have failed: ten lines a minute at most, because each request fails during an outage.
final class OutageLog: Sendable {
    private static let maximumLines = 10

    private let logger: Logger
    /// The start of the current minute, and the failures in it.
    private let minute = Mutex<(start: ContinuousClock.Instant, failures: Int)?>(nil)

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Records that a call has failed.
    func record(_ error: any Error, at now: ContinuousClock.Instant = .now) {
        // What the former minute has skipped; `nil` if this line is skipped.
        let skipped: Int? = minute.withLock { minute in
            if let current = minute, now - current.start < .seconds(60) {
                minute?.failures += 1
                return current.failures < Self.maximumLines ? 0 : nil
            }
            let failures = minute?.failures ?? 0
            minute = (now, 1)
            return max(0, failures - Self.maximumLines)
        }
        guard let skipped else { return }
        var metadata: Logger.Metadata = ["error": "\(error)"]
        if skipped > 0 { metadata["skipped"] = "\(skipped)" }
        logger.error("The database is not available", metadata: metadata)
    }
}
