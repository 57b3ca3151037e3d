import AccountsDatabase
import ArgumentParser

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

    func run() async throws {
        let database = try await storage.administration().database
        var chain = AuditChain()
        var findings = AuditFindings(requiring: contains)
        try await database.forEachAuditRecord { record in
            if let fault = chain.add(record) { findings.add("record \(record.number): \(fault)") }
            findings.addHash(chain.last)
        }
        if chain.isWithoutBeginning {
            findings.add("the records before the first one were removed, and no record of 'audit prune' reports this")
        }
        try findings.report(chain)
    }
}
