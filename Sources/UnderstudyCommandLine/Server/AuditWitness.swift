import AccountsDatabase
import Logging
import ServiceLifecycle

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
