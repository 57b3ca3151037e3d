import Accounts
import CoreMetrics
import Logging
import ServiceLifecycle

/// Logs the hash of the last record of the audit log each hour and at the end, so that a rewritten audit log contradicts the
/// log.
struct AuditWitness: Service {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_audit_failures_total":
            "Records of the audit log that could not be written, or only without its chain."
    ]

    let audit: any OpenedAuditLog
    let logger: Logger
    var interval = Duration.seconds(3_600)

    func run() async throws {
        var logged: String?
        var isStopping = false
        while !isStopping {
            isStopping = (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }) == nil
            guard let hash = await audit.lastHash, hash != logged else { continue }
            logged = hash
            logger.notice("The audit log ends with this hash", metadata: ["hash": "\(hash)"])
        }
    }
}
