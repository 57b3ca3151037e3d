import AccountStoreSuite
import Accounts
import AccountsDatabase
import AccountsPostgreSQL
import AccountsSQLite
import BusinessLogic
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized) struct PostgreSQLAuditTests {
    @Test func `a copy of an audit log has the same lines, and continues their chain`() async throws {
        let folder = DatabaseFolder()
        let source = try SQLiteDatabase(path: folder.file())
        let log = DatabaseAuditLog(source) { Issue.record($1) }
        for number in 1...3 {
            await log.record(AuditEvent(.login, at: Timestamp(milliseconds: 0), account: AccountID("\(number)\u{1}é")))
        }
        try await withDatabase { target in
            let (original, last) = (try await source.auditRecords, try await source.lastAuditRecord())
            source.close()
            try await target.copy(rows: try SQLiteCopySource(path: folder.file()).rows)
            let copied = DatabaseAuditLog(target) { Issue.record($1) }
            #expect(try await target.lastAuditRecord() == last)
            await copied.record(AuditEvent(.databaseCopied, at: Timestamp(milliseconds: 0)))
            let all = try await target.auditRecords
            #expect(all.prefix(3) == original[...])
            var chain = AuditChain()
            for record in all { #expect(chain.add(record) == nil) }
            #expect(chain.validCount == 4)
            #expect(!chain.isWithoutBeginning)
        }
    }
}

extension SQLDatabase {
    fileprivate var auditRecords: [StoredAuditRecord] {
        get async throws {
            var records: [StoredAuditRecord] = []
            try await forEachAuditRecord { records.append($0) }
            return records
        }
    }
}
