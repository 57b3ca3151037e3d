import ArgumentParser

/// The option that names the audit log.
struct AuditOptions: ParsableArguments {
    @Option(Settings.auditLog) var auditLog: String?

    /// Returns where the audit log is; `nil` if it is not set.
    func placeIfSet(_ settings: SettingsReader) throws -> AuditPlace? {
        guard let name = try settings.value(auditLog, Settings.auditLog) else { return nil }
        switch name {
        case "journal": return .journal(chain: nil)
        case "database": return .database
        default: return .file(DataFile(path: name, folder: nil))
        }
    }

    /// Returns where the audit log is, by default in the data folder.
    func place(in storage: StorageOptions, _ settings: SettingsReader) throws -> AuditPlace {
        switch try placeIfSet(settings) {
        case .file(let file): .file(file)
        case .journal: .journal(chain: try storage.file(nil, "audit-chain", settings))
        case .database: .database
        case nil: .file(try storage.file(nil, "audit.jsonl", settings))
        }
    }
}
