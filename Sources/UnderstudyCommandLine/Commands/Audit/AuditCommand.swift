import ArgumentParser

/// `understudy audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check the audit log, and print or delete records that are in a database.",
        discussion: HelpText.exit,
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self]
    )
}
