import Accounts
import AccountsDatabase
import ArgumentParser
import BusinessLogic

/// `understudy audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "audit",
        "Check, print and shorten the audit log in the database.",
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self]
    )
}

/// `understudy audit verify`.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find records of the audit log that were removed, changed or moved.",
        discussion: """
            Each record contains the SHA-256 of the one before it. The first record may continue one that 'audit prune' has deleted; while that \
            command runs, records can seem to be missing. The command prints the hash of the last record. Keep it elsewhere, and give it with \
            '--contains' the next time: otherwise, records that are missing at the end are not found, and neither is a log that was written \
            again from some record on. Exit status: 0 all records are valid, 1 a record is not, or the database cannot be read, 64 wrong usage.
            """
    )

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

/// `understudy audit export`.
struct AuditExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "export",
        "Print the records of the audit log, one a line, the oldest first.",
        """
        Each line is a JSON object:

          understudy audit export >audit.jsonl

        A demonstration has its records in memory, and only its log contains them.
        """
    )

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

    @OptionGroup(title: "Storage") var storage: StorageOptions

    func run() async throws {
        let administration = try await storage.administration()
        let time = since?.timestamp(administration.clock.now)
        let database = administration.database
        let known = if let account { try await database.account(named: account) } else { nil as Account? }
        var isEmpty = true
        // A deleted account has only its ID.
        try await database.forEachAuditRecord(of: known?.id ?? account.map { AccountID($0) }, since: time) { record in
            isEmpty = false
            Terminal.print(String(decoding: record.line, as: UTF8.self))
        }
        guard isEmpty, let account, known == nil else { return }
        throw CommandError("There is no account '\(account)', and no record about a deleted account with this ID.")
    }
}

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
        ),
        transform: TextParser.pointInTime.parse
    )
    var before: PointInTime

    @OptionGroup var confirmation: Confirmation

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions

    func run() async throws {
        let administration = try await storage.administration()
        let now = administration.clock.now
        let time = before.timestamp(now)
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
