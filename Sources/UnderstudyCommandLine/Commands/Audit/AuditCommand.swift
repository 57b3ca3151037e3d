import ArgumentParser

/// `understudy audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "audit",
        "Check, print and shorten the audit log in the database.",
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self]
    )
}
