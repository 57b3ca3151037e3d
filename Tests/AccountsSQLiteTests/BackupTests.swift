import AccountStoreSuite
import AccountsDatabase
import Accounts
import AccountsSQLite
import Foundation
import SessionStorage
import Testing

@Suite struct `Backups of a database` {
    private let folder = TemporaryFolder()

    @Test func `a backup during writes is a consistent snapshot`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        let copy = folder.file("copy.sqlite")
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
        let accounts = try await SQLiteDatabase(path: copy).accounts(after: nil, limit: .max)
        #expect(accounts.contains { $0.username == "before" })
        #expect(accounts.count % 2 == 1)
    }

    @Test func `a backup contains no saved session`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        let session = SessionStoreSuite.session(1)
        try await database.add(.sample("ada"))
        try await database.sessions { 0 }.save([session])
        let copy = folder.file("copy.sqlite")
        try await database.backup(to: copy)
        #expect(!folder.names.contains { $0.contains("partial") || $0.hasPrefix("copy.sqlite-") })
        let content = try Data(contentsOf: URL(fileURLWithPath: copy))
        #expect(content.range(of: Data(session.content)) == nil)
        let restored = try SQLiteDatabase(path: copy)
        #expect(try await restored.sessions { 0 }.take(limit: 1).isEmpty)
        #expect(try await restored.accounts(after: nil, limit: .max).count == 1)
        #expect(try await database.sessions { 0 }.take(limit: 1) == [session])
    }

    @Test func `an existing file is not overwritten`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        let copy = folder.file("copy")
        #expect(FileManager.default.createFile(atPath: copy, contents: Data("mine".utf8)))
        await #expect(throws: SQLiteDatabaseError.exists(path: copy)) { try await database.backup(to: copy) }
        await #expect(throws: SQLiteDatabaseError.exists(path: folder.file())) {
            try await database.backup(to: folder.file())
        }
        #expect(FileManager.default.contents(atPath: copy) == Data("mine".utf8))
        #expect(!folder.names.contains { $0.contains("partial") })
    }

    @Test func `a backup into a missing folder is rejected`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        let path = folder.file("missing/copy")
        await #expect(throws: SQLiteDatabaseError.folderMissing(path: path)) { try await database.backup(to: path) }
    }
}
