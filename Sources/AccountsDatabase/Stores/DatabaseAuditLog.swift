package import Accounts
import SessionStorage

/// An audit log in the table `audit_record`. All processes that use the database continue the same chain.
///
/// During an event whose changes are committed together, ``recordAtCommit(_:)`` adds the record to the commit: if it cannot be written, nothing
/// is committed.
package struct DatabaseAuditLog: AuditLog {
    private let database: any SQLDatabase
    private let onRecord: @Sendable (AuditEvent) -> Void
    private let onError: @Sendable (AuditEvent, any Error) -> Void

    /// `onRecord` is called after a record was committed, and `onError` if a record could not be written outside of such a commit.
    package init(
        _ database: any SQLDatabase,
        onRecord: @escaping @Sendable (AuditEvent) -> Void = { _ in },
        onError: @escaping @Sendable (AuditEvent, any Error) -> Void
    ) {
        self.database = database
        self.onRecord = onRecord
        self.onError = onError
    }

    package func record(_ event: AuditEvent) async {
        // A task of its own, because the record of what has happened must not be lost if the caller is cancelled.
        let writing = Task { try await database.write(of: .audit, key: "audit") { try $0.append(event) } }
        // In the task of the request, whose page the log line contains.
        switch await writing.result {
        case .success: onRecord(event)
        case .failure(let error): onError(event, error)
        }
    }

    package func recordAtCommit(_ event: AuditEvent) async {
        if let work = database.unitOfWork {
            work.addLast(SQLWrite { try $0.append(event) })
            work.addAction { onRecord(event) }
        } else if let work = UnitOfWork.current {
            work.addAction { await record(event) }
        } else {
            await record(event)
        }
    }
}

extension SQLConnection {
    /// Appends a record that continues the last one. In PostgreSQL, all other transactions that append wait for the end of this one: make it the
    /// last part of a transaction.
    func append(_ event: AuditEvent) throws {
        let last = try batch([AuditTable.lock(), AuditTable.selectLast(Int.max)])[1].first
        let line = event.json(after: try last.map(AuditTable.record)?.hash)
        try execute(AuditTable.insert(event.time, event.account, line))
    }
}
