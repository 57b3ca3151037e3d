import Accounts
import Foundation

/// The search for an account's records in the audit log of this machine, or of the database.
struct AuditSearch {
    let place: AuditPlace
    /// Whether other servers can use the same accounts, each with an audit log of its own.
    let isShared: Bool

    /// What the search cannot find, a sentence for each reason.
    func gaps(for account: AccountID) throws -> [String] {
        if place.isDatabase { return [] }
        let (path, missing) = (place.file?.path, "The export does not contain the audit records")
        var gaps: [String] = []
        if let path, !FileManager.default.fileExists(atPath: path) {
            gaps.append("\(missing), because there is no file '\(path)': name it with '--audit-log'.")
        }
        if path == nil {
            let search = "journalctl --identifier \(AuditJournal.identifier) --grep \(account.text)"
            gaps.append("\(missing), because they are in the journal: '\(search)' prints them.")
        }
        let rotated = try rotatedFiles
        if !rotated.isEmpty {
            let names = rotated.map { "'\($0)'" }.joined(separator: ", ")
            gaps.append("\(missing) in \(names): search these files for '\(account.text)'.")
        }
        if isShared {
            gaps.append(
                """
                \(missing) of other servers that use this database: run the command on their machines, or search their audit \
                logs for '\(account.text)'.
                """
            )
        }
        return gaps
    }

    /// The files that logrotate has made of the audit log: `audit.jsonl.1`, `audit.jsonl.2.gz` or `audit.jsonl-20261124`.
    private var rotatedFiles: [String] {
        get throws {
            guard let path = place.file?.path else { return [] }
            let file = URL(fileURLWithPath: path)
            let folder = file.deletingLastPathComponent()
            guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
            let name = file.lastPathComponent
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasPrefix(name + ".") || $0.hasPrefix(name + "-") }.sorted()
                .map { folder.appendingPathComponent($0).path }
        }
    }
}
