import Accounts
import AccountsDatabase
import ArgumentParser

/// Where the records of the audit log go.
enum AuditPlace {
    /// To a file.
    case file(DataFile)
    /// To the journal of systemd. The file contains the hash of the last record; without it, each process has a chain of its own.
    case journal(chain: DataFile?)
    /// To the database of the accounts.
    case database

    /// Opens the audit log.
    ///
    /// - Parameters:
    ///   - database: the database of the accounts; `nil` without one.
    ///   - onError: is called if a record could not be written, or only without the chain, on any thread.
    ///   - onReplacement: is called if the log continues in another file.
    /// - Throws: `AuditFileError`; `ValidationError` if the data folder cannot be created, or there is no database.
    func opened(
        in database: (any Database)?,
        onError: @escaping @Sendable (any Error) -> Void,
        onReplacement: @escaping @Sendable (AuditFile.Replacement) -> Void = { _ in }
    ) throws -> any OpenedAuditLog {
        switch self {
        case .file(let file): try AuditFile(path: file.prepared(), onError: onError, onReplacement: onReplacement)
        case .journal(let chain): try AuditJournal(chain: chain?.prepared(), onError: onError)
        case .database:
            if let database {
                database.openedAuditLog(onError: onError)
            } else {
                throw ValidationError("'--audit-log database' needs a database: the demonstration has none.")
            }
        }
    }

    /// The file with the records; `nil` for the journal and the database.
    var file: DataFile? { if case .file(let file) = self { file } else { nil } }

    /// Whether the records are in the database of the accounts.
    var isDatabase: Bool { if case .database = self { true } else { false } }

    /// How to print all records of the journal.
    static var journalSearch: String { "journalctl --identifier \(AuditJournal.identifier) --output cat" }
}

/// An audit log that a process writes.
protocol OpenedAuditLog: AuditLog {
    /// The hash of the last record that is known; `nil` before the first one.
    var lastHash: String? { get async }
    /// Opens the log again if another program has moved it.
    func reopen() throws
}

extension AuditFile: OpenedAuditLog {}

extension DatabaseAuditLog: OpenedAuditLog {
    /// Does nothing.
    func reopen() {}
}

extension Database {
    /// The audit log in the database.
    fileprivate func openedAuditLog(onError: @escaping @Sendable (any Error) -> Void) -> any OpenedAuditLog {
        DatabaseAuditLog(self, onError: onError)
    }
}
