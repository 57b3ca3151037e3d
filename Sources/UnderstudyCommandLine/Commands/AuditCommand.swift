import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "audit",
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self]
    )
}

struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("audit verify")

    @Option(help: "A hash that this command has printed before: the log must contain the record with this hash.")
    var contains: String?

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func validate() throws {
        guard let contains, contains.wholeMatch(of: /[0-9A-Fa-f]{64}/) == nil else { return }
        throw ValidationError("The value of '--contains' is invalid: expected a SHA-256 hash of 64 hexadecimal digits.")
    }

    func run() async throws {
        let database = try await storage.administration().database
        let required = contains?.lowercased()
        var chain = AuditChain()
        var containsHash = required == nil
        var isValid = true
        func report(_ fault: String) {
            isValid = false
            Terminal.printError(fault)
        }
        try await database.forEachAuditRecord { record in
            if let fault = chain.add(record) { report("record \(record.number): \(fault)") }
            if chain.last == required { containsHash = true }
        }
        if chain.isWithoutBeginning {
            report("the records before the first one were removed, and no record of 'audit prune' reports this")
        }
        Terminal.print("\(chain.validCount) \(chain.validCount == 1 ? "record is" : "records are") valid")
        if let last = chain.last { Terminal.print("last hash: \(last)") }
        if !containsHash { report("No record has the hash that '--contains' gives: records are missing.") }
        if !isValid { throw ExitCode.failure }
    }
}

struct AuditExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("audit export")

    @Option(
        help: ArgumentHelp(
            "Only records about this account: a username, an email address or an id, also one that was deleted.",
            valueName: "username"
        )
    )
    var account: String?

    @Option(
        help: ArgumentHelp(
            "Only records from this time on: 2026-01-31, 2026-01-31T09:30:00Z, or the last 12h or 30d.",
            valueName: "time"
        ),
        transform: TextParser.pointInTime.parse
    )
    var since: PointInTime?

    @Option(
        help: ArgumentHelp("Only records before this time, which is given as that of '--since'.", valueName: "time"),
        transform: TextParser.pointInTime.parse
    )
    var until: PointInTime?

    @Option(help: ArgumentHelp("Only records of what this operator has changed.", valueName: "name"))
    var `operator`: String?

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.administration()
        let now = administration.clock.now
        let end = until?.timestamp(now)
        let database = administration.database
        let known = if let account { try await database.account(named: account) } else { nil as Account? }
        var isEmpty = true
        // A deleted account has only its ID.
        let id = known?.id ?? account.map { AccountID($0) }
        try await database.forEachAuditRecord(of: id, since: since?.timestamp(now)) { record in
            isEmpty = false
            if let end, record.time >= end { return }
            if let `operator`, record.text("operator") != `operator` { return }
            Terminal.print(String(decoding: record.line, as: UTF8.self))
        }
        guard isEmpty, let account, known == nil else { return }
        throw CommandError("There is no account '\(account)', and no record about a deleted account with this ID.")
    }
}

struct AuditPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("audit prune")

    @Option(
        help: ArgumentHelp(
            "Delete records that are older than this: 2026-01-31, 2026-01-31T09:30:00Z, or an age such as 365d.",
            valueName: "time"
        ),
        transform: TextParser.pointInTime.parse
    )
    var before: PointInTime

    @OptionGroup var confirmation: Confirmation

    @OptionGroup var change: OperatorOptions

    func run() async throws {
        let administration = try await change.storage.administration()
        let now = administration.clock.now
        let time = before.timestamp(now)
        guard time <= now else { throw ValidationError("The value of '--before' is invalid: it is in the future.") }
        try confirmation.ask("Delete the audit records before \(time) permanently?", refusal: "No record is deleted.")
        let count = try await administration.database.pruneAuditRecords(before: time) {
            [name = change.operatorName] reason in
            AuditEvent(.auditPruned, at: now, reason: reason, operatorName: name)
        }
        Terminal.print("Deleted \(String.count(count, "record")).")
    }
}
