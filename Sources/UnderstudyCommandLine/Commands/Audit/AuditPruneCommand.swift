import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic

/// `understudy audit prune`.
struct AuditPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "prune",
        "Delete old records of the audit log.",
        """
        Deletes the records before the first one that is not older than the time, and records this: 'audit verify' finds no fault in the \
        others. Servers may run meanwhile. \(HelpText.confirmation)
        """
    )

    @Option(
        help: ArgumentHelp(
            "Delete records that are older than this: 2026-01-31, 2026-01-31T09:30:00Z, or an age such as 365d.",
            valueName: "time"
        )
    )
    var before: PointInTime

    @OptionGroup var confirmation: Confirmation

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        try confirmation.requireTerminal(to: "delete the records")
        let administration = try await storage.administration()
        let now = administration.clock.now
        let time = before.timestamp(now: now)
        guard time <= now else { throw ValidationError("The value of '--before' is invalid: it is in the future.") }
        try confirmation.ask(
            "Delete the audit records before \(time) permanently?",
            refusal: "No record is deleted."
        )
        let count = try await administration.database.pruneAuditRecords(before: time) {
            [name = `operator`.operatorName] reason in
            AuditEvent(.auditPruned, at: now, reason: reason, operatorName: name)
        }
        Terminal.print("Deleted \(String.count(count, "record")).")
    }
}
