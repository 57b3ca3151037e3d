import AccountStoreSuite
import Accounts
import AccountsDatabase
import AccountsSQLite
import SQLStatements
import Testing

@Suite(.timeLimit(.minutes(5))) struct SnapshotTests {
    private let folder = TemporaryFolder()

    @Test func `a copy contains all tables and columns`() async throws {
        _ = try SQLiteDatabase(path: folder.file())
        let columns = try await OtherConnection(folder.file()).text(
            """
            SELECT group_concat(tables.name || '.' || columns.name)
            FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND tables.name NOT IN ('understudy_version', 'health', 'publication')
            """
        )
        let expected = TableDescription.all.flatMap { table in table.columns.map { "\(table.name).\($0.name)" } }
        #expect(Set(try #require(columns).split(separator: ",").map { String($0) }) == Set(expected))
    }

    @Test func `a snapshot returns its rows in the order of their bytes, also after later writes`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        let accounts = (0..<1_001).map { Account.sample("\($0)") }
        try await database.add(accounts)
        let snapshot = try database.snapshot()
        for account in accounts.prefix(3) { _ = try await database.remove(account.id) }
        var ids: [SQLValue] = []
        var sizes: [Int] = []
        try await snapshot.forEachBatch(of: try #require(TableDescription.all.first { $0.name == "account" })) { rows in
            sizes.append(rows.count)
            ids += rows.map { $0[0] }
        }
        #expect(sizes == [1_000, 1])
        let expected = accounts.map { Array($0.id.text.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(ids == expected.map { .text(String(decoding: $0, as: UTF8.self)) })
    }
}
