import AccountsPostgreSQL
import AccountsSQLite
import BusinessLogic
import CoreMetrics
import HTTPMessages
import Logging
import ServiceLifecycle
import Synchronization

/// Logs why calls to the database have failed: ten lines a minute at most for requests, each of which fails during an outage, and one for all
/// other work, which tries again and again.
final class OutageLog: Sendable {
    private struct Lines {
        let maximum: Int
        /// The start of the current minute, and the failures in it.
        var minute: (start: ContinuousClock.Instant, failures: Int)?

        /// Returns how many failures the former minute has skipped; `nil` if this one is skipped.
        mutating func skipped(at now: ContinuousClock.Instant) -> Int? {
            if let current = minute, now - current.start < .seconds(60) {
                minute?.failures += 1
                return current.failures < maximum ? 0 : nil
            }
            let failures = minute?.failures ?? 0
            minute = (now, 1)
            return max(0, failures - maximum)
        }
    }

    private let logger: Logger
    private let ofRequests = Mutex(Lines(maximum: 10))
    private let ofOtherWork = Mutex(Lines(maximum: 1))

    init(_ logger: Logger) {
        self.logger = logger
    }

    func record(_ error: any Error, at now: ContinuousClock.Instant = .now) {
        let skipped =
            RequestTrace.current == nil
            ? ofOtherWork.withLock { $0.skipped(at: now) } : ofRequests.withLock { $0.skipped(at: now) }
        guard let skipped else { return }
        var metadata: Logger.Metadata = ["error": "\(error)"]
        if skipped > 0 { metadata["skipped"] = "\(skipped)" }
        logger.error("The database is not available", metadata: metadata)
    }
}

/// Measures the database every minute.
struct DatabaseMeasurement: Service {
    private let database: any Database
    private let size, auditRecords: Meter
    /// `nil` if other programs make the backups.
    private let lastBackup: Meter?

    init(_ database: any Database, factory: any MetricsFactory) {
        self.database = database
        size = Meter(label: "understudy_database_bytes", factory: factory)
        auditRecords = Meter(label: "understudy_audit_records", factory: factory)
        lastBackup =
            database is SQLiteDatabase
            ? Meter(label: "understudy_last_backup_timestamp_seconds", factory: factory) : nil
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var last = lastBackup.map { _ in 0 }
            while true {
                if let figures = try? await database.figures(after: last) {
                    size.set(figures.size)
                    auditRecords.set(figures.auditRecords)
                    if let time = figures.lastBackup { lastBackup?.set(time.milliseconds / 1000) }
                    last = last.map { _ in figures.lastRecord }
                }
                try await Task.sleep(for: .seconds(60))
            }
        }
    }
}

/// Compares the machine's clock with the database's every minute, and reports a large difference.
struct ClockComparison: Service {
    let clock: DatabaseClock
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var reported = DatabaseClock.Agreement.close
            while true {
                let counts = (try? await clock.compare()) ?? false
                // In between, the machine's clock can be set.
                for _ in 0..<(counts ? 60 : 5) {
                    reported = report(after: reported)
                    try await Task.sleep(for: .seconds(1))
                }
            }
        }
    }

    /// Logs a line if the agreement of the clocks is another one than before. Returns the agreement now.
    func report(after former: DatabaseClock.Agreement) -> DatabaseClock.Agreement {
        let agreement = clock.agreement
        guard agreement != former else { return former }
        let seconds = (clock.difference / .seconds(1) * 10).rounded() / 10
        let metadata: Logger.Metadata = ["seconds": "\(seconds)"]
        switch agreement {
        case .close: logger.notice("The machine's clock agrees with the database's again", metadata: metadata)
        case .apart: logger.warning("The machine's clock differs from the database's", metadata: metadata)
        case .unreliable:
            logger.error("The machine's clock differs from the database's by more than a minute", metadata: metadata)
        }
        return agreement
    }
}
