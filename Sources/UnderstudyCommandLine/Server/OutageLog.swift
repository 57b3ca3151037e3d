import Logging
import Synchronization

/// Logs why calls to the database have failed: ten lines a minute at most, because each request fails during an outage.
final class OutageLog: Sendable {
    private struct Minute {
        var start: ContinuousClock.Instant
        var failures = 0
    }

    private static let maximumLines = 10

    private let logger: Logger
    private let minute = Mutex<Minute?>(nil)

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Records that a call has failed.
    func record(_ error: any Error, at now: ContinuousClock.Instant = .now) {
        let (isLogged, skipped) = minute.withLock { minute in
            var current = minute ?? Minute(start: now)
            var skipped = 0
            if now - current.start >= .seconds(60) {
                skipped = max(0, current.failures - Self.maximumLines)
                current = Minute(start: now)
            }
            current.failures += 1
            minute = current
            return (current.failures <= Self.maximumLines, skipped)
        }
        guard isLogged else { return }
        var metadata: Logger.Metadata = ["error": "\(error)"]
        if skipped > 0 { metadata["skipped"] = "\(skipped)" }
        logger.error("The database is not available", metadata: metadata)
    }
}
