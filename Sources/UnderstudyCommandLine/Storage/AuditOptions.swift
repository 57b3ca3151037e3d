import ArgumentParser

/// The option that names the audit log.
struct AuditOptions: ParsableArguments {
    @Option(Settings.auditLog) var auditLog: String?

    /// Returns the path of the audit log; `nil` if it is not set.
    func path(_ settings: SettingsReader) throws -> String? {
        try settings.value(auditLog, Settings.auditLog)
    }

    /// Returns the audit log, by default in the data folder.
    func file(in storage: StorageOptions, _ settings: SettingsReader) throws -> DataFile {
        try storage.file(path(settings), "audit.jsonl", settings)
    }
}
