import Accounts
import AccountsDatabase
import Addresses
import CoreMetrics
import Logging
import ServiceLifecycle

/// The lines of the log about records of the audit log, with which a program that ships logs gets a copy of each.
struct AuditLines: Sendable {
    private let failures: Counter
    private let logger = Logger(label: "understudy.audit")

    init(factory: any MetricsFactory) {
        failures = Counter(label: "understudy_audit_failures_total", factory: factory)
    }

    /// The audit log of a server, which logs each record after its commit.
    ///
    /// - Parameter database: contains the records; `nil` for the demonstration.
    func auditLog(in database: (any Database)?) -> any AuditLog {
        guard let database else { return MemoryAuditLog(onRecord: record) }
        return DatabaseAuditLog(database, onRecord: record) { event, error in
            failures.increment()
            // The line is all that is left of the record.
            let metadata = event.metadata.merging(["error": "\(error)"]) { $1 }
            logger.error("The audit log cannot be written", metadata: metadata)
        }
    }

    private func record(_ event: AuditEvent) { logger.info("Audit", metadata: event.metadata) }
}

extension AuditEvent {
    /// The members of the record by the names that the access log uses. The line has a time of its own.
    fileprivate var metadata: Logger.Metadata {
        let members = [
            "event": kind.rawValue, "account": account?.text, "reason": reason, "client": address?.description,
            "request": requestID, "operator": operatorName,
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
