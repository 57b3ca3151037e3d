struct `Backups of a database` {
    let folder = TemporaryFolder()

    @Test func `a backup during writes is a consistent snapshot`() async throws {
        let database = try folder.open()
        let copy = folder.database("copy.sqlite")
        try await database.add(.sample("before"))
        let writing = Task {
            var number = 0
            while !Task.isCancelled {
                // Adds two accounts in one write, so that a consistent copy has both of them, or none.
                try? await database.add([.sample("a\(number)"), .sample("b\(number)")])
                number += 1
            }
        }
        try await database.backup(to: copy)
        writing.cancel()
        await writing.value
        #expect(!folder.names.contains { $0.contains("partial") })
        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
        #expect(try await OtherConnection(copy).text("PRAGMA integrity_check") == "ok")
        let accounts = try await SQLiteDatabase(path: copy).all
        #expect(accounts.contains { $0.username == "before" })
        #expect(accounts.count % 2 == 1)
    }

    @Test func `a backup contains no session, saved or shared`() async throws {
        let database = try folder.open()
        let session = SessionStoreSuite.session(1)
        try await database.add(.ada)
        try await database.sessions { 0 }.save([session])
        try await database.sessions { 0 }.commit(SessionStoreSuite.change(2))
        let copy = folder.database("copy.sqlite")
        try await database.backup(to: copy)
        #expect(!folder.names.contains { $0.contains("partial") || $0.hasPrefix("copy.sqlite-") })
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).range(of: Data(session.content)) == nil)
        #expect(try await OtherConnection(copy).text("SELECT count(*) FROM session") == "0")
        let restored = try SQLiteDatabase(path: copy)
        #expect(try await restored.sessions { 0 }.take(limit: 1).isEmpty)
        #expect(try await restored.all.count == 1)
        #expect(try await database.sessions { 0 }.take(limit: 1) == [session])
    }

    @Test(arguments: [1, 2])
    func `a backup of a damaged database fails, and writes no file`(_ fraction: Int) async throws {
        let first = try folder.open()
        try await first.add((0..<1000).map { .sample("\($0)") })
        first.close()
        var bytes = try #require(Files.contents(folder.database()))
        // Damages the pages behind the definitions of the tables: all of them, or half.
        for index in max(41 * 4096, bytes.count - bytes.count / fraction)..<bytes.count { bytes[index] = 0xFF }
        try bytes.write(folder.database())
        let damaged = try folder.open()
        await #expect(throws: SQLiteDatabaseError.damaged(path: folder.database())) {
            try await damaged.backup(to: folder.database("copy"))
        }
        #expect(!folder.names.contains { $0.hasPrefix("copy") })
        damaged.close()
        #expect(try !SQLiteDatabase.damage(path: folder.database()).isEmpty)
    }

    @Test func `a backup overwrites no file, and creates no folder`() async throws {
        let database = try folder.open()
        let copy = folder.database("copy")
        #expect(Files.create(copy, Data("mine".utf8)))
        for path in [copy, folder.database()] {
            await #expect(throws: SQLiteDatabaseError.exists(path: path)) { try await database.backup(to: path) }
        }
        #expect(Files.contents(copy) == Data("mine".utf8))
        #expect(!folder.names.contains { $0.contains("partial") })
        let path = folder.database("missing/copy")
        await #expect(throws: SQLiteDatabaseError.cannotOpen(path: path, reason: "there is no such folder")) {
            try await database.backup(to: path)
        }
    }
}

struct `Restoring a backup` {
    let folder = TemporaryFolder()
    let now = Timestamp.ms(0)
    var replaced: String { folder.database() + ".replaced-1970-01-01T00:00:00Z" }

    /// The usernames in a file.
    func names(_ path: String) async throws -> [String] {
        let database = try SQLiteDatabase(path: path)
        defer { database.close() }
        return try await database.usernames
    }

    /// Restores the backup, after a number of seconds.
    @discardableResult
    func restore(after seconds: Int = 0) throws -> String? {
        try SQLiteDatabase.restore(folder.database("backup"), to: folder.database(), at: now + .seconds(seconds))
    }

    /// Leaves a file with its `-wal` behind, as after the process was killed, and a backup from before its last change.
    func leaveFiles() async throws {
        let live = folder.database("live")
        let database = try SQLiteDatabase(path: live)
        try await database.add(.ada)
        try await database.backup(to: folder.database("backup"))
        try await database.add(.bob)
        for ending in ["", "-wal", "-shm"] { try Files.copy(live + ending, to: folder.database() + ending) }
        database.close()
        try Files.remove(live)
    }

    @Test func `the database is that of the backup, and the replaced one can be restored`() async throws {
        try await leaveFiles()
        #expect(try restore() == replaced)
        #expect(folder.names.filter { $0 != "backup" && !$0.contains("replaced") } == ["understudy.sqlite"])
        #expect(try await names(folder.database()) == ["ada"])
        #expect(try await names(folder.database("backup")) == ["ada"])
        #expect(try SQLiteDatabase.restore(replaced, to: folder.database(), at: now + .seconds(1)) != nil)
        #expect(try await names(folder.database()) == ["ada", "bob"])
    }

    @Test func `a database that is missing is created, and a damaged one is replaced`() async throws {
        try await leaveFiles()
        try Files.remove(folder.database())
        #expect(try restore() == nil)
        #expect(try await names(folder.database()) == ["ada"])
        for ending in ["", "-wal"] {
            try Data("no database".utf8).write(folder.database() + ending)
        }
        try restore(after: 1)
        #expect(try await names(folder.database()) == ["ada"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func `a database that root restores still belongs to the user of the server`() async throws {
        try await leaveFiles()
        #expect(chown(folder.database(), 12, 34) == 0)
        try restore()
        var restored = stat()
        #expect(stat(folder.database(), &restored) == 0)
        #expect([restored.st_uid, restored.st_gid] == [12, 34])
        #expect(restored.st_mode & 0o777 == 0o600)
    }

    @Test func `sessions are not restored`() async throws {
        let database = try folder.open("backup")
        try await database.sessions { 0 }.save([SessionStoreSuite.session(1)])
        try await database.sessions { 0 }.commit(SessionStoreSuite.change(2))
        database.close()
        try restore()
        #expect(try await folder.connect().text("SELECT count(*) FROM session") == "0")
    }

    @Test(arguments: ["", "text", "damaged", "missing"])
    func `a file that is no sound backup changes nothing`(_ kind: String) async throws {
        try await leaveFiles()
        let backup = folder.database("backup")
        var bytes = try #require(Files.contents(backup))
        switch kind {
        case "damaged": for index in bytes.count - 2 * 4096..<bytes.count { bytes[index] = 0xFF }
        case "missing": try Files.remove(backup)
        default: bytes = Data(kind.utf8)
        }
        if kind != "missing" { try bytes.write(backup) }
        let before = folder.names
        #expect(throws: SQLiteDatabaseError.self) { try restore() }
        #expect(folder.names == before)
        #expect(try await names(folder.database()) == ["ada", "bob"])
    }

    @Test func `the database of another program is not replaced, and an empty file is no backup`() async throws {
        try await leaveFiles()
        let (other, empty) = (folder.database("other"), folder.database("empty"))
        do { try await OtherConnection(other).execute("CREATE TABLE note (text TEXT)") }
        try Data().write(empty)
        let before = folder.names
        #expect(throws: SQLiteDatabaseError.foreign(path: other)) {
            try SQLiteDatabase.restore(folder.database("backup"), to: other, at: now)
        }
        #expect(throws: SQLiteDatabaseError.cannotOpen(path: empty, reason: "it has no tables")) {
            try SQLiteDatabase.restore(empty, to: folder.database(), at: now)
        }
        #expect(folder.names == before)
    }

    @Test(.ifDisksCanBeMounted)
    func `a full disk is an error that names the path of the database, and not that of the backup`() async throws {
        try await leaveFiles()
        let disk = try SmallDisk(folder.database("disk"))
        defer { disk.remove() }
        try disk.fill()
        let path = disk.path + "/understudy.sqlite"
        let error = #expect(throws: SQLiteDatabaseError.self) {
            try SQLiteDatabase.restore(folder.database("backup"), to: path, at: now)
        }
        #expect("\(error, default: "")".hasPrefix("cannot write the database '\(path)': "))
        #expect(try Files.names(in: disk.path) == ["filling"])
    }

    @Test func `between the steps, no file is opened with the log of another one`() async throws {
        try await leaveFiles()
        // The files after each step, as a process leaves them that is killed.
        _ = try SQLiteDatabase.restore(folder.database("backup"), to: folder.database("new"), at: now)
        let file = folder.database()
        try Files.remove(file + "-shm")
        try Files.move(file + "-wal", to: file + ".kept-wal")
        #expect(throws: SQLiteDatabaseError.incomplete(path: file)) { try SQLiteDatabase(path: file) }
        #expect(rename(folder.database("new"), file) == 0)
        #expect(try await names(file) == ["ada"])
    }
}
