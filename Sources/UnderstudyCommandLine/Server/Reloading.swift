import Accounts
import Glibc
import Logging

/// What a running server reads again at SIGHUP: the certificate, the level of the log, and the paths of the files that it appends to.
struct Reloading {
    let certificate: ReloadableCertificate?
    let audit: (any OpenedAuditLog)?
    let log: LogWriter
    let level: AdjustableLevel
    /// Reads the setting `log-level` again.
    let readLevel: @Sendable () async throws -> Logger.Level
    let logger: Logger

    /// Reloads everything. What cannot be reloaded stays as it is, and is logged.
    func run() async {
        // First, so that all lines are in the new file.
        attempt("The log file is not opened again") { try log.reopen(with: [STDOUT_FILENO]) }
        attempt("The audit log is not opened again") { try audit?.reopen() }
        certificate?.reload()
        do {
            level.current = try await readLevel()
        } catch {
            logger.error("The level of the log is not reloaded", metadata: ["error": "\(error)"])
        }
        logger.notice("Reloaded", metadata: ["log-level": "\(level.current)"])
    }

    private func attempt(_ failure: Logger.Message, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            logger.error(failure, metadata: ["error": "\(error)"])
        }
    }
}
