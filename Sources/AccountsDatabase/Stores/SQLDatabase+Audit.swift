package import Accounts
package import BusinessLogic

/// The audit log in the database, for an operator. These methods throw a ``/BusinessLogic/CollaboratorError``.
extension SQLDatabase {
    /// The last record of the audit log; `nil` if the log is empty.
    package func lastAuditRecord() async throws -> StoredAuditRecord? {
        try await read(AuditTable.selectLast(Int.max), of: .audit) { try $0.first.map(AuditTable.record) }
    }

    /// One page of the records, the newest first: those before a number (`nil` for the first page) whose lines contain a text.
    package func auditRecords(
        before number: Int?,
        containing text: String,
        limit: Int
    ) async throws -> [StoredAuditRecord] {
        try await read(AuditTable.selectBefore(number ?? Int.max, text, limit), of: .audit) {
            try $0.map(AuditTable.record)
        }
    }

    /// Calls `body` with the records of the audit log in the order of the chain. At most a thousand are in memory at the same time. Records
    /// that are added meanwhile may be among them.
    package func forEachAuditRecord(
        of account: AccountID? = nil,
        since time: Timestamp? = nil,
        _ body: (StoredAuditRecord) async throws -> Void
    ) async throws {
        var last = Int.min
        while true {
            let step = AuditTable.select(
                after: last,
                of: account,
                since: time ?? Timestamp(milliseconds: .min),
                limit: 1_000
            )
            let records = try await read(step, of: .audit) { try $0.map(AuditTable.record) }
            guard let end = records.last else { return }
            for record in records { try await body(record) }
            last = end.number
        }
    }

    /// Deletes the records before the first one with that time or a later one, after it has added a record of this: from its reason,
    /// ``AuditChain`` learns that the first record may continue one that is missing. The records that remain are a chain. Other records can
    /// be added meanwhile.
    ///
    /// Returns the number of deleted records; 0 if nothing has changed. If the call throws, some may be deleted; another call deletes the others.
    package func pruneAuditRecords(
        before time: Timestamp,
        _ event: @escaping @Sendable (_ reason: String) -> AuditEvent
    ) async throws -> Int {
        // Without the lock, for which events would wait: the search can read the whole log.
        let last = try await read(of: .audit, deadline: .now + .seconds(30)) { db in
            let first = try db.execute(AuditTable.selectFirst(time)).first
            let end = try first.map { try AuditTable.record($0).number } ?? .max
            return try db.execute(AuditTable.selectLast(end)).first.map(AuditTable.record)
        }
        guard let last, last.time < time else { return 0 }
        try await write(of: .audit, key: "audit") {
            try $0.append(event(AuditPruning(before: time, last: last.hash).reason))
        }
        var count = 0
        while true {
            // In parts, so that events do not wait long for the database.
            let deletion = AuditTable.delete(last.number, 1_000)
            let deleted = try await write(of: .audit) { try $0.execute(deletion).count }
            guard deleted > 0 else { return count }
            count += deleted
        }
    }
}
