import AccountStoreSuite
import Accounts
import AccountsSQLite
import BundledControllers
import BusinessLogic
import Foundation
import Testing

@Suite struct `Opening a database` {
    private let folder = TemporaryFolder()

    @Test func `only the owner can read a new file and its journal files`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        try await database.add(.sample("ada"))
        #expect(folder.names == ["understudy.sqlite", "understudy.sqlite-shm", "understudy.sqlite-wal"])
        for name in folder.names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        database.close()
        #expect(folder.names == ["understudy.sqlite"])
    }

    @Test func `an empty file becomes a database`() async throws {
        #expect(FileManager.default.createFile(atPath: folder.file(), contents: Data()))
        let database = try SQLiteDatabase(path: folder.file())
        try await database.add(.sample("ada"))
    }

    @Test func `a special name of SQLite is a file name`() async throws {
        let database = try SQLiteDatabase(path: folder.file(":memory:"))
        try await database.add(.sample("ada"))
        #expect(folder.names.first == ":memory:")
    }

    @Test func `several processes can create the same file simultaneously`() async throws {
        let path = folder.file()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<4 {
                group.addTask { try await SQLiteDatabase(path: path).add(.sample("\(index)")) }
            }
            try await group.waitForAll()
        }
        #expect(try await SQLiteDatabase(path: path).accounts(after: nil, limit: 9).count == 4)
    }

    @Test func `the contents survive closing and reopening`() async throws {
        let ada = Account.sample("ada", userID: "1")
        let database = try SQLiteDatabase(path: folder.file())
        try await database.add([ada, .sample("bob")])
        try await database.change(ada.id, revokingSessions: true) { $0.name = "Ada" }
        try await database.update(.unknownName(1)) { $0.failures = 3 }
        try await database.addProducts([.tea])
        database.close()
        let again = try SQLiteDatabase(path: folder.file())
        #expect(try await again.account(ada.id)?.name == "Ada")
        #expect(try await again.accounts(after: nil, limit: 9).count == 2)
        #expect(try await again.sessionRevocations(after: 0) == [SessionRevocation(number: 1, account: ada.id)])
        let count = try await again.update(.unknownName(1)) { $0 }
        #expect(count.failures == 3)
        #expect(try await again.products.get() == [.tea])
        try await again.change(ada.id, revokingSessions: true) { _ in }
        #expect(try await again.sessionRevocations(after: 1).map(\.number) == [2])
    }

    @Test func `a database of the first version is migrated and keeps its contents`() async throws {
        let ada = Account.sample("ada")
        let first = try SQLiteDatabase(path: folder.file())
        try await first.add(ada)
        try await first.update(.account(ada.id)) { $0.failures = 3 }
        first.close()
        try await OtherConnection(folder.file()).execute(
            """
            DROP TABLE device;
            DROP TABLE saved_session;
            DROP TABLE session_event;
            DROP TABLE session;
            DROP TABLE replaced_session;
            ALTER TABLE throttle DROP COLUMN refused;
            DELETE FROM grdb_migrations WHERE identifier <> '1'
            """
        )
        let database = try SQLiteDatabase(path: folder.file())
        let device = Device(key: DeviceKey(bytes: [1]), account: ada.id, expires: Timestamp(milliseconds: .max))
        #expect(try await database.addDevice(device, replacing: nil, limit: 1, at: Timestamp(milliseconds: 0)))
        #expect(try await database.device(device.key) == device)
        #expect(try await database.account(ada.id) == ada)
        #expect(try await database.failureCounts(of: [ada.id])[ada.id]?.failures == 3)
    }

    @Test func `a database of a newer version is rejected unchanged`() async throws {
        try SQLiteDatabase(path: folder.file()).close()
        try await OtherConnection(folder.file()).execute("INSERT INTO grdb_migrations VALUES ('1000')")
        #expect(throws: SQLiteDatabaseError.newer(path: folder.file())) { try SQLiteDatabase(path: folder.file()) }
        #expect(
            "\(SQLiteDatabaseError.newer(path: "a"))"
                == "the database 'a' was changed by a newer version of this program"
        )
    }

    @Test func `a database of another program is rejected unchanged`() async throws {
        try await OtherConnection(folder.file()).execute("CREATE TABLE account (id)")
        #expect(throws: SQLiteDatabaseError.foreign(path: folder.file())) { try SQLiteDatabase(path: folder.file()) }
        let tables = try await OtherConnection(folder.file()).text("SELECT group_concat(name) FROM sqlite_master")
        #expect(tables == "account")
    }

    @Test(arguments: [3, 50, 600, 5000])
    func `a text file is rejected unchanged`(_ length: Int) throws {
        let text = Data(repeating: UInt8(ascii: "a"), count: length)
        #expect(FileManager.default.createFile(atPath: folder.file(), contents: text))
        #expect(throws: SQLiteDatabaseError.notADatabase(path: folder.file())) {
            try SQLiteDatabase(path: folder.file())
        }
        #expect(FileManager.default.contents(atPath: folder.file()) == text)
        #expect(folder.names == ["understudy.sqlite"])
    }

    @Test(arguments: [20, 1000, 4096, 10_000, 20_480])
    func `a truncated database is rejected`(_ length: Int) async throws {
        let database = try SQLiteDatabase(path: folder.file())
        try await database.add((0..<100).map { .sample("\($0)") })
        database.close()
        let whole = try #require(FileManager.default.contents(atPath: folder.file()))
        try #require(whole.count > length)
        try whole.prefix(length).write(to: URL(fileURLWithPath: folder.file()))
        let error = #expect(throws: SQLiteDatabaseError.self) { try SQLiteDatabase(path: folder.file()) }
        #expect([.damaged(path: folder.file()), .notADatabase(path: folder.file())].contains(error))
    }

    @Test func `a folder is rejected`() {
        #expect(throws: SQLiteDatabaseError.isFolder(path: folder.path)) { try SQLiteDatabase(path: folder.path) }
    }

    @Test func `a file in a missing folder is rejected`() {
        let path = folder.file("missing/understudy.sqlite")
        #expect(throws: SQLiteDatabaseError.folderMissing(path: path)) { try SQLiteDatabase(path: path) }
    }

    @Test func `a file in a read-only folder is rejected`() {
        // Root may write in any folder except those of the kernel.
        let path = geteuid() == 0 ? "/sys/understudy.sqlite" : folder.file()
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        let error = #expect(throws: SQLiteDatabaseError.self) { try SQLiteDatabase(path: path) }
        #expect(error?.description.hasPrefix("cannot write the database '\(path)': ") == true)
    }

    @Test func `a database that another process has locked is rejected in bounded time`() async throws {
        try SQLiteDatabase(path: folder.file()).close()
        let other = try OtherConnection(folder.file())
        try await other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        #expect(throws: SQLiteDatabaseError.locked(path: folder.file())) {
            try SQLiteDatabase(path: folder.file(), busyTimeout: .milliseconds(20))
        }
        try await other.execute("COMMIT; PRAGMA locking_mode = NORMAL; SELECT 1 FROM account")
        _ = try SQLiteDatabase(path: folder.file())
    }
}
