import ArgumentParser

/// `understudy audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check, print and shorten the audit log in the database.",
        discussion: HelpText.exit,
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self]
    )
}
