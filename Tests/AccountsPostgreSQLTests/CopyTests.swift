import AccountsSQLite

/// Copies from SQLite to PostgreSQL.
@Suite(.fiveMinutes, .serialized)
struct CopyTests {
    let folder = TemporaryFolder()

    func source() throws -> SQLiteDatabase { try SQLiteDatabase(path: folder.database()) }

    /// Closes a source, copies it, and opens it again.
    @discardableResult
    func copy(
        _ source: inout SQLiteDatabase,
        to target: PostgreSQLDatabase
    ) async throws -> [(table: TableDescription, count: Int)] {
        source.close()
        let file = try SQLiteCopySource(path: source.path)
        defer { file.close() }
        let tables = try await target.copy(rows: file.rows)
        file.close()
        source = try self.source()
        return tables
    }

    @Test func `an empty database can be copied`() async throws {
        try await withDatabase { target in
            var source = try source()
            let tables = try await copy(&source, to: target)
            #expect(tables.map(\.table.name) == TableDescription.all.map(\.name))
            #expect(tables.allSatisfy { $0.count == 0 })
            try await target.addProducts([.bat])
            #expect(try await target.products.get() == [.bat])
        }
    }

    @Test func `a copy has every row, byte by byte`() async throws {
        var source = try source()
        try await Sample.fill(source)
        try await withDatabase { target in
            // As a server does that starts.
            _ = try await target.sessions { 0 }.addressKey
            let tables = try await copy(&source, to: target)
            let counts = Dictionary(uniqueKeysWithValues: tables.map { ($0.table.name, $0.count) })
            #expect(
                counts == [
                    "account": 2_503, "passkey": 1, "session_revocation": 2, "throttle": 3, "device": 2, "product": 2,
                    "address_key": 1,
                    "session": 253, "session_event": 252, "replaced_session": 1,
                    "ended_session": 1, "mail": 2, "audit_record": 3,
                ]
            )
            try await expectSame(source, target)
        }
    }

    @Test func `numbers continue after those of the original`() async throws {
        var source = try source()
        try await Sample.fill(source)
        try await withDatabase { target in
            try await copy(&source, to: target)
            let last = try #require(try await source.revocations.last?.number)
            let ada = try #require(try await target.account(username: "ada"))
            try await target.revokeSessions(of: ada.id)
            #expect(try await target.sessionRevocations(after: last).map(\.account) == [ada.id])
            try await target.addProducts([Product(name: "new", description: "", image: "")])
            #expect(try await target.products.get().map(\.name) == Sample.products.map(\.name) + ["new"])
            let log = DatabaseAuditLog(target) { Issue.record($1) }
            await log.record(AuditEvent(.databaseCopied, at: Sample.time))
            var chain = AuditChain()
            try await target.forEachAuditRecord { #expect(chain.add($0) == nil) }
            #expect(chain.validCount == 4)
            #expect(!chain.isWithoutBeginning)
            #expect(try await target.sessions { last }.commit(SessionStoreSuite.change(99)) == .committed)
        }
    }

    @Test func `a database with a row is not changed`() async throws {
        var source = try source()
        try await source.add(.ada)
        try await withDatabase { target in
            try await target.addProducts([.bat])
            await #expect(throws: CopyError.notEmpty(table: "product")) { try await copy(&source, to: target) }
            #expect(try await target.all.isEmpty)
            #expect(try await target.products.get() == [.bat])
        }
    }

    @Test(arguments: [
        ("BEFORE", "NEW.expires := NEW.expires + 1; RETURN NEW", CopyError.different(table: "device")),
        ("BEFORE", "NEW.account_id := NEW.account_id || 'x'; RETURN NEW", .different(table: "device")),
        ("BEFORE", "RETURN NULL", .different(table: "device")),
        ("AFTER", "DELETE FROM device; RETURN NULL", .wrongCount(table: "device", expected: 1, count: 0)),
        ("AFTER", "DELETE FROM account; RETURN NULL", .wrongCount(table: "account", expected: 1, count: 0)),
    ])
    func `a row that is altered or lost in the copy undoes the copy`(
        _ moment: String,
        _ change: String,
        _ error: CopyError
    ) async throws {
        var source = try source()
        let ada = Account.ada
        try await source.add(ada)
        #expect(try await source.addDevice(Sample.device(1, ada), replacing: nil, limit: 1, at: Sample.time))
        try await TestSchema.withDatabase { schema, target in
            try await schema.execute(
                "CREATE FUNCTION change() RETURNS trigger AS $$ BEGIN \(change); END $$ LANGUAGE plpgsql"
            )
            try await schema.execute(
                "CREATE TRIGGER change \(moment) INSERT ON device FOR EACH ROW EXECUTE FUNCTION change()"
            )
            await #expect(throws: error) { try await copy(&source, to: target) }
            #expect(try await target.all.isEmpty)
        }
    }

    @Test func `a copy contains all tables and columns`() async throws {
        let expected = Set(TableDescription.all.flatMap { table in table.columns.map { "\(table.name).\($0)" } })
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { _ in }
            let columns = try await schema.execute(
                """
                SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = '\(schema.name)'
                AND table_name NOT IN ('understudy_version', 'session_revocation_counter', 'publication', 'health')
                """
            )
            #expect(Set(try columns.map { try $0.text(0) }) == expected)
        }
    }

    @Test func `an error names the table`() {
        #expect("\(CopyError.notEmpty(table: "device"))".hasPrefix("the table 'device' has rows"))
        #expect(
            "\(CopyError.wrongCount(table: "device", expected: 3, count: 2))"
                == "the table 'device' has 2 rows instead of 3"
        )
        #expect("\(CopyError.different(table: "device"))".hasPrefix("a row of the table 'device' differs"))
    }

    /// Expects both databases to return the same.
    func expectSame(_ source: SQLiteDatabase, _ target: PostgreSQLDatabase) async throws {
        let accounts = try await source.all
        #expect(accounts.count == 2_503)
        #expect(try await target.all == accounts)
        for account in accounts.suffix(5) {
            #expect(try await target.account(email: account.email) == account)
            #expect(try await target.account(username: account.username) == account)
            #expect(try await target.devices(of: account.id) == source.devices(of: account.id))
            #expect(try await target.storedSessions(of: account.id) == source.storedSessions(of: account.id))
        }
        let ids = accounts.map(\.id)
        #expect(try await target.failureCounts(of: ids) == source.failureCounts(of: ids))
        #expect(try await target.revocations == source.revocations)
        #expect(try await target.products.get() == source.products.get())
        #expect(try await target.lastAuditRecord() == source.lastAuditRecord())
        let clock = ManualClock()
        let (outbox, copied) = (DatabaseOutbox(source, clock: clock), DatabaseOutbox(target, clock: clock))
        #expect(try await copied.mails(after: 0, limit: 9) == outbox.mails(after: 0, limit: 9))
        let (here, there) = (source.sessions { 9 }, target.sessions { 9 })
        for number in 0..<9 { #expect(try await there.find(number) == here.find(number)) }
        #expect(try await there.take(limit: 999) == here.take(limit: 999))
    }
}
