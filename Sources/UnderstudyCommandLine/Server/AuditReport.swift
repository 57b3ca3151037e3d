import Accounts
import AccountsDatabase
import Addresses
import CoreMetrics
import Logging
import ServiceLifecycle

/// What a server reports about records of the audit log: a line of the log for each, with which a program that ships logs gets a copy, and metrics.
///
/// All labels are from closed lists, and each series starts at 0, so that Prometheus sees the first event.
struct AuditReport: Sendable {
    private let counters: [AuditEvent.Series: Counter]
    private let failures: Counter
    private let logger: Logger

    init(factory: any MetricsFactory, logger: Logger = Logger(label: "understudy.audit")) {
        self.logger = logger
        let counters = AuditEvent.Series.all.map { series in
            let dimensions = series.label.map { [($0, series.value)] } ?? []
            return (
                series, Counter(label: "understudy_\(series.metric)_total", dimensions: dimensions, factory: factory)
            )
        }
        self.counters = Dictionary(uniqueKeysWithValues: counters)
        failures = Counter(label: "understudy_audit_failures_total", factory: factory)
    }

    /// The audit log of a server, which reports each record after its commit. Without a database, it is in memory.
    func auditLog(in database: (any Database)?) -> any AuditLog {
        guard let database else { return MemoryAuditLog(onRecord: record) }
        return DatabaseAuditLog(database, onRecord: record) { event, error in
            count(event)
            failures.increment()
            // The line is all that is left of the record.
            let metadata = event.metadata.merging(["error": "\(error)"]) { $1 }
            logger.error("The audit log cannot be written", metadata: metadata)
        }
    }

    private func record(_ event: AuditEvent) {
        count(event)
        logger.info("Audit", metadata: event.metadata)
    }

    private func count(_ event: AuditEvent) {
        for series in event.series { counters[series]?.increment() }
    }
}

extension AuditEvent {
    /// The members of the record by the names that the access log uses. The line has a time of its own.
    fileprivate var metadata: Logger.Metadata {
        let members = [
            "event": kind.rawValue, "account": account?.text, "reason": reason, "client": address?.description,
            "request": requestID, "operator": operatorName, "agent": agent,
        ]
        return members.compactMapValues { $0.map { .string($0) } }
    }
}

/// Logs the hash of the last record of the audit log each hour and at the end, so that a rewritten audit log contradicts the
/// log.
struct AuditWitness: Service {
    let database: any Database
    let logger: Logger
    var interval = Duration.seconds(3_600)

    func run() async throws {
        var logged: String?
        var isStopping = false
        while !isStopping {
            isStopping = (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }) == nil
            guard let hash = try? await database.lastAuditRecord()?.hash, hash != logged else { continue }
            logged = hash
            logger.notice("The audit log ends with this hash", metadata: ["hash": "\(hash)"])
        }
    }
}
