import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic
import Understudy

/// `understudy audit prune`.
struct AuditPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Delete old records of the audit log.",
        discussion: """
            Deletes the records before the first one that is not older than the time, and records this: 'audit verify' finds no fault in the \
            others. Servers may run meanwhile. The command asks for confirmation on the terminal; without a terminal, it requires '--yes'. \
            \(HelpText.exit)
            """
    )

    @Option(
        help: ArgumentHelp(
            "Delete records that are older than this: 2026-01-31, 2026-01-31T09:30:00Z, or an age such as 365d.",
            valueName: "time"
        )
    )
    var before: PointInTime

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        guard yes || Terminal.canAsk else {
            throw ValidationError(
                "Standard input is not a terminal, so that the command cannot ask: add '--yes' to delete the records."
            )
        }
        let settings = try storage.configuration.settings()
        let opened = try await AdminContext.open(storage, settings, creating: false)
        let clock: any WallClock = opened.clock ?? SystemClock()
        let now = clock.now
        let time = before.timestamp(now: now)
        guard time <= now else { throw ValidationError("The value of '--before' is invalid: it is in the future.") }
        guard yes || Terminal.ask("Delete the audit records before \(time) permanently?") else {
            throw CommandError("No record is deleted.")
        }
        let count = try await opened.database.pruneAuditRecords(before: time) {
            [name = `operator`.operatorName] reason in
            AuditEvent(.auditPruned, at: now, reason: reason, operatorName: name)
        }
        Terminal.print("Deleted \(count) \(count == 1 ? "record" : "records").")
    }
}
