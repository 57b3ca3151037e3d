import ArgumentParser

/// `understudy audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check the audit log.",
        discussion: HelpText.exit,
        subcommands: [AuditVerifyCommand.self]
    )
}
