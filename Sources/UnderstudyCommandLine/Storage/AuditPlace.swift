import Accounts

/// Where the records of the audit log go.
enum AuditPlace {
    /// To a file.
    case file(DataFile)
    /// To the journal of systemd. The file contains the hash of the last record; without it, each process has a chain of its own.
    case journal(chain: DataFile?)

    /// Opens the audit log.
    ///
    /// - Parameters:
    ///   - onError: is called if a record could not be written, or only without the chain, on the thread that recorded the event.
    ///   - onReplacement: is called if the log continues in another file.
    /// - Throws: `AuditFileError`; `ValidationError` if the data folder cannot be created.
    func opened(
        onError: @escaping @Sendable (any Error) -> Void,
        onReplacement: @escaping @Sendable (AuditFile.Replacement) -> Void = { _ in }
    ) throws -> any OpenedAuditLog {
        switch self {
        case .file(let file): try AuditFile(path: file.prepared(), onError: onError, onReplacement: onReplacement)
        case .journal(let chain): try AuditJournal(chain: chain?.prepared(), onError: onError)
        }
    }

    /// The file with the records; `nil` for the journal.
    var file: DataFile? { if case .file(let file) = self { file } else { nil } }
}

/// An audit log that a process writes.
protocol OpenedAuditLog: AuditLog {
    /// The hash of the last record that is known; `nil` before the first one.
    var lastHash: String? { get }
    /// Opens the log again if another program has moved it.
    func reopen() throws
}

extension AuditFile: OpenedAuditLog {}
