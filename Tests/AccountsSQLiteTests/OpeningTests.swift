@testable import AccountsSQLite

struct `Opening a database` {
    let folder = TemporaryFolder()

    @Test func `only the owner can read a new file and its journal files`() async throws {
        let database = try folder.open()
        try await database.add(.ada)
        #expect(folder.names == ["understudy.sqlite", "understudy.sqlite-shm", "understudy.sqlite-wal"])
        for name in folder.names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.database(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        database.close()
        #expect(folder.names == ["understudy.sqlite"])
    }

    @Test func `an empty file becomes a database, and a special name of SQLite is a file name`() async throws {
        #expect(Files.create(folder.database(":memory:")))
        try await folder.open(":memory:").add(.ada)
        #expect(try await folder.open(":memory:").all.count == 1)
        #expect(folder.names.first == ":memory:")
    }

    @Test func `several processes can create the same file simultaneously`() async throws {
        let path = folder.database()
        try await concurrently(4) { try await SQLiteDatabase(path: path).add(.sample("\($0)")) }
        #expect(try await SQLiteDatabase(path: path).all.count == 4)
    }

    @Test(arguments: ["''", "'{}'", "'[]'", "x'ff'", "'{\"passkeys\":7}'"])
    func `an account whose factors are damaged is found, and needs a second factor`(_ damage: String) async throws {
        let ada = Account.ada
        let first = try folder.open()
        try await first.add([ada, .bob])
        first.close()
        try await folder.connect().execute(
            "UPDATE account SET factors = CAST(\(damage) AS TEXT) WHERE username = 'ada'"
        )
        let database = try folder.open()
        #expect(try await database.account(ada.id)?.factors.isEmpty == false)
        #expect(try await database.account(username: "bob")?.factors.isEmpty == true)
        try await database.change(ada.id) { $0.name = "Ada" }
        #expect(try await database.account(ada.id)?.factors.isEmpty == false)
        try await database.change(ada.id) { $0.factors = Factors() }
        #expect(try await database.account(ada.id)?.factors == Factors())
    }

    @Test func `a later migration runs once, and keeps the rows that refer to a table that it replaces`() async throws {
        let (ada, path) = (Account.ada, folder.database())
        let database = try SQLiteDatabase(path: path)
        try await database.add(ada)
        database.close()
        try await OtherConnection(path).execute("INSERT INTO passkey VALUES (x'00', '\(ada.id)')")
        let later = Schema(
            migrations: Schema.current.migrations + [
                """
                CREATE TABLE new_account AS SELECT *, 7 AS own_later FROM account;
                DROP TABLE account;
                ALTER TABLE new_account RENAME TO account;
                CREATE UNIQUE INDEX account_id ON account (id);
                """
            ]
        )
        for _ in 0..<2 { try later.migrate(SQLiteConnection(path), path) }
        let values = "SELECT own_later || (SELECT account_id = account.id FROM passkey) FROM account"
        #expect(try await OtherConnection(path).text(values) == "71")
        let newer = SQLiteDatabaseError.newer(path: path, version: 2, latest: 1)
        #expect(throws: newer) { try SQLiteDatabase(path: path) }
        #expect("\(newer)".contains("have version 2, and this program expects at most 1: "))
        #expect(try await OtherConnection(path).text("SELECT version FROM understudy_version") == "2")
    }

    @Test func `a migration that fails changes nothing`() async throws {
        let path = folder.database()
        try SQLiteDatabase(path: path).close()
        let later = Schema(migrations: Schema.current.migrations + ["DROP TABLE health; SELECT unknown;"])
        #expect(throws: SQLiteError.self) { try later.migrate(SQLiteConnection(path), path) }
        _ = try SQLiteDatabase(path: path)
        #expect(try await OtherConnection(path).text("SELECT count(*) FROM health") == "0")
    }

    @Test(arguments: ["DROP TABLE device", "ALTER TABLE account DROP COLUMN note"])
    func `a database that another program has changed is rejected, and is no backup`(_ change: String) async throws {
        try await folder.open().add(.ada)
        try await folder.connect().execute(change)
        #expect(throws: SQLiteDatabaseError.self) { try folder.open() }
        #expect(throws: SQLiteDatabaseError.self) { try SQLiteDatabase.version(path: folder.database()) }
        #expect(throws: SQLiteDatabaseError.self) {
            try SQLiteDatabase.restore(folder.database(), to: folder.database("restored"), at: .ms(0))
        }
        #expect(!folder.names.contains("restored"))
    }

    @Test func `a database of another program is rejected unchanged`() async throws {
        try await folder.connect().execute("CREATE TABLE account (id)")
        #expect(throws: SQLiteDatabaseError.foreign(path: folder.database())) { try folder.open() }
        #expect(try await folder.connect().text("SELECT group_concat(name) FROM sqlite_master") == "account")
    }

    @Test(arguments: [3, 50, 600, 5000])
    func `a text file is rejected unchanged`(_ length: Int) throws {
        let text = Data(repeating: UInt8(ascii: "a"), count: length)
        #expect(Files.create(folder.database(), text))
        #expect(throws: SQLiteDatabaseError.notADatabase(path: folder.database())) { try folder.open() }
        #expect(Files.contents(folder.database()) == text)
        #expect(folder.names == ["understudy.sqlite"])
    }

    @Test(arguments: [20, 1000, 4096, 10_000, 20_480])
    func `a truncated database is rejected`(_ length: Int) async throws {
        let database = try folder.open()
        try await database.add((0..<100).map { .sample("\($0)") })
        database.close()
        let whole = try #require(Files.contents(folder.database()))
        try #require(whole.count > length)
        try whole.prefix(length).write(folder.database())
        let error = #expect(throws: SQLiteDatabaseError.self) { try folder.open() }
        #expect([.damaged(path: folder.database()), .notADatabase(path: folder.database())].contains(error))
    }

    @Test func `a folder, and a file in a missing folder, are rejected`() {
        let paths = [
            folder.path: "it is a folder", folder.database("missing/understudy.sqlite"): "there is no such folder",
        ]
        for (path, reason) in paths {
            #expect(throws: SQLiteDatabaseError.cannotOpen(path: path, reason: reason)) {
                try SQLiteDatabase(path: path)
            }
        }
    }

    @Test func `a file in a read-only folder is rejected`() {
        // Root may write in any folder except those of the kernel.
        let path = geteuid() == 0 ? "/sys/understudy.sqlite" : folder.database()
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        let error = #expect(throws: SQLiteDatabaseError.self) { try SQLiteDatabase(path: path) }
        #expect(error?.description.hasPrefix("cannot write the database '\(path)': ") == true)
    }

    @Test(.ifDisksCanBeMounted)
    func `a full disk is named as the reason why a database cannot be opened`() throws {
        let disk = try SmallDisk(folder.database("disk"))
        defer { disk.remove() }
        let path = disk.path + "/understudy.sqlite"
        try SQLiteDatabase(path: path).close()
        try disk.fill()
        let error = #expect(throws: SQLiteDatabaseError.self) { try SQLiteDatabase(path: path) }
        #expect("\(error, default: "")".contains("No space left on device"))
    }

    @Test func `a database that another process has locked is rejected in bounded time`() async throws {
        try folder.open().close()
        let other = try folder.connect()
        // Without a read before, the lock would stay until the connection is closed.
        try await other.execute("SELECT 1 FROM account; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        #expect(throws: SQLiteDatabaseError.locked(path: folder.database())) {
            try folder.open(busyTimeout: .milliseconds(20))
        }
        try await other.execute("COMMIT; PRAGMA locking_mode = NORMAL; SELECT 1 FROM account")
        _ = try folder.open()
    }
}

struct `The write-ahead log of a database` {
    let folder = TemporaryFolder()

    /// Copies the files of an open database, as they are after the process was killed.
    func killed(without endings: [String] = []) throws -> String {
        let copy = folder.database(UUID().uuidString)
        for ending in ["", "-wal", "-shm"] where !endings.contains(ending) {
            try Files.copy(folder.database() + ending, to: copy + ending)
        }
        return copy
    }

    @Test func `a file that is released without a call of close contains everything`() async throws {
        _ = try await Task {
            let database = try folder.open()
            try await database.add(.ada)
            return try await database.all.count
        }.value
        #expect(folder.names == ["understudy.sqlite"])
    }

    @Test func `another process that closes the file changes nothing for those that use it`() async throws {
        let database = try folder.open()
        try await database.add(.ada)
        try folder.open().close()
        try await database.add(.bob)
        #expect(try await SQLiteDatabase(path: killed()).all.count == 2)
        #expect(throws: SQLiteDatabaseError.self) { try SQLiteDatabase(path: killed(without: ["-wal", "-shm"])) }
    }

    @Test func `while another process writes, and may begin the log anew, nothing counts as lost`() async throws {
        try await folder.open().add(.ada)
        let database = try folder.open()
        let path = try killed(without: ["-wal", "-shm"])
        let other = try OtherConnection(path)
        try await other.execute("BEGIN IMMEDIATE")
        #expect(throws: SQLiteDatabaseError.locked(path: path)) { try SQLiteDatabase(path: path, busyTimeout: .zero) }
        try await other.execute("ROLLBACK")
        #expect(throws: SQLiteDatabaseError.incomplete(path: path)) { try SQLiteDatabase(path: path) }
        database.close()
    }

    @Test func `after a kill, a database continues with its log, and is rejected without it`() async throws {
        let database = try folder.open()
        for index in 0..<3 {
            try await database.add((0..<600).map { .sample("\(index)-\($0)") })
            #expect(try await SQLiteDatabase(path: killed()).all.count == 600 * (index + 1))
            for endings in [["-wal"], ["-wal", "-shm"]] {
                let path = try killed(without: endings)
                for _ in 0..<2 {
                    #expect(throws: SQLiteDatabaseError.incomplete(path: path)) { try SQLiteDatabase(path: path) }
                }
            }
            for content in [Data(), Data(repeating: 0, count: 4096), Data("no log at all, but a text".utf8)] {
                let path = try killed()
                try content.write(path + "-wal")
                #expect(throws: SQLiteDatabaseError.incomplete(path: path)) { try SQLiteDatabase(path: path) }
            }
            // In the magic number, the salt and the checksum of the header, and in the salt, the checksum and the page of the first frame.
            for damaged in [3, 17, 27, 41, 50, 1000] {
                let path = try killed()
                var log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
                log[damaged] ^= 1
                try log.write(path + "-wal")
                #expect(throws: SQLiteDatabaseError.incomplete(path: path), "byte \(damaged)") {
                    try SQLiteDatabase(path: path)
                }
            }
        }
        let message = "\(SQLiteDatabaseError.incomplete(path: "/d/a.sqlite"))"
        #expect(message.hasPrefix("the database '/d/a.sqlite' is incomplete, because '/d/a.sqlite-wal'"))
    }

    @Test(.ifDisksCanBeMounted)
    func `a database that was closed while the disk was full can be opened when there is room`() async throws {
        let disk = try SmallDisk(folder.database("disk"))
        defer { disk.remove() }
        let path = disk.path + "/understudy.sqlite"
        for room in 0..<12 {
            let database = try SQLiteDatabase(path: path)
            try await database.add(.sample("before-\(room)"))
            try disk.fill(except: room)
            // A checkpoint consists of several commits, and the disk is full before, between and after them.
            try? await database.withWriter { try database.file?.log.checkpoint($0) }
            database.close()
            try disk.empty()
            #expect(try await SQLiteDatabase(path: path).all.count == room + 1)
        }
    }

    @Test(arguments: ["backup", "copy"])
    func `a file that replaces another one is rejected with that one's log`(_ kind: String) async throws {
        let first = try folder.open()
        try await first.add(.ada)
        try await first.backup(to: folder.database("backup"))
        first.close()
        try Files.copy(folder.database(), to: folder.database("copy"))
        let database = try folder.open()
        for index in 0..<3 {
            let path = try killed()
            try #require(Files.contents(folder.database(kind))).write(path)
            let files = ["", "-wal"].map { Files.contents(path + $0) }
            for _ in 0..<2 {
                let error = SQLiteDatabaseError.foreignLog(path: path)
                #expect(throws: error) { try SQLiteDatabase(path: path) }
                #expect(throws: error) { try SQLiteDatabase.version(path: path) }
                #expect(throws: error) { try SQLiteDatabase.acceptLoss(path: path) }
            }
            #expect(["", "-wal"].map { Files.contents(path + $0) } == files)
            // Without the foreign log, it is a database.
            for ending in ["-wal", "-shm"] { try Files.remove(path + ending) }
            #expect(try await SQLiteDatabase(path: path).all.count == 1)
            try await database.add((0..<1200).map { .sample("\(index)-\($0)") })
        }
        let message = "\(SQLiteDatabaseError.foreignLog(path: "/d/a.sqlite"))"
        #expect(message.hasPrefix("'/d/a.sqlite-wal' belongs to another database than '/d/a.sqlite'"))
    }

    @Test func `a database that was deleted without its log is not created anew`() async throws {
        let database = try folder.open()
        try await database.add(.ada)
        let path = try killed()
        try Files.remove(path)
        #expect(throws: SQLiteDatabaseError.missing(path: path)) { try SQLiteDatabase(path: path) }
        #expect(!Files.exists(path))
        for ending in ["-wal", "-shm"] { try? Files.remove(path + ending) }
        #expect(try await SQLiteDatabase(path: path).all.isEmpty)
    }

    @Test func `a database that is killed at any moment keeps its log, and continues`() async throws {
        var database: SQLiteDatabase? = try folder.open()
        for index in 0..<8 {
            let early = try SQLiteDatabase(path: killed())
            try await early.add(.ada)
            #expect(try await early.all.count == 1200 * index + 1)
            // A reader keeps the log from being shortened.
            let other = try folder.connect()
            if index % 2 == 0 { try await other.execute("BEGIN; SELECT count(*) FROM account") }
            try await database?.add((0..<1200).map { .sample("\(index)-\($0)") })
            #expect(try await SQLiteDatabase(path: killed()).all.count == 1200 * (index + 1))
            if index == 3 {
                database = nil
                database = try folder.open()
            }
        }
    }

    @Test func `a killed database that another program has closed, and a copy by SQLite, are complete`() async throws {
        let database = try folder.open()
        try await database.add(.ada)
        let path = try killed()
        do { #expect(try await OtherConnection(path).text("SELECT count(*) FROM account") == "1") }
        try? Files.remove(path + "-wal")
        #expect(try await SQLiteDatabase(path: path).all.count == 1)
        let copy = folder.database("copy")
        try await folder.connect().execute("VACUUM INTO '\(copy)'")
        #expect(try await SQLiteDatabase(path: copy).all.count == 1)
    }

    @Test func `an accepted loss lets the database continue with what is left`() async throws {
        let database = try folder.open()
        try await database.add(.ada)
        let path = try killed(without: ["-wal", "-shm"])
        #expect(throws: SQLiteDatabaseError.incomplete(path: path)) { try SQLiteDatabase.version(path: path) }
        #expect(try SQLiteDatabase.acceptLoss(path: path))
        #expect(try !SQLiteDatabase.acceptLoss(path: path))
        #expect(try await SQLiteDatabase(path: path).all.isEmpty)
        #expect(throws: SQLiteDatabaseError.self) { try SQLiteDatabase.acceptLoss(path: folder.database("missing")) }
    }
}
