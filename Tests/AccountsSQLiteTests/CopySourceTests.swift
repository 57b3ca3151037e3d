@Suite(.fiveMinutes) struct CopySourceTests {
    let folder = TemporaryFolder()

    @Test func `a copy contains all tables and columns`() async throws {
        _ = try folder.open()
        let columns = try await folder.connect().text(
            """
            SELECT group_concat(tables.name || '.' || columns.name)
            FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
                AND tables.name NOT IN ('understudy_version', 'health', 'publication')
            """
        )
        let expected = TableDescription.all.flatMap { table in table.columns.map { "\(table.name).\($0)" } }
        #expect(Set(try #require(columns).split(separator: ",").map { String($0) }) == Set(expected))
    }

    @Test func `rows are returned in batches in the order of their bytes`() async throws {
        let database = try folder.open()
        let accounts = (0..<1_001).map { Account.sample("\($0)") }
        try await database.add(accounts)
        database.close()
        let source = try SQLiteCopySource(path: folder.database())
        var ids: [SQLValue] = []
        var sizes: [Int] = []
        let table = try #require(TableDescription.all.first { $0.name == "account" })
        while case let rows = try source.rows(of: table, after: ids.last.map { [$0] }), !rows.isEmpty {
            sizes.append(rows.count)
            ids += rows.map { $0[0] }
        }
        #expect(sizes == [1_000, 1])
        #expect(ids == accounts.map(\.id.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .text($0) })
    }

    @Test func `a file that another connection has open is not copied, and none opens it during a copy`() throws {
        let path = folder.database()
        let database = try SQLiteDatabase(path: path)
        #expect(throws: SQLiteDatabaseError.locked(path: path)) { try SQLiteCopySource(path: path) }
        database.close()
        let source = try SQLiteCopySource(path: path)
        #expect(throws: SQLiteDatabaseError.locked(path: path)) {
            try SQLiteDatabase(path: path, busyTimeout: .milliseconds(20))
        }
        source.close()
        try SQLiteDatabase(path: path).close()
    }
}
