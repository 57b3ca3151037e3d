import Accounts
import AccountsSQLite
import BundledControllers
import BusinessLogic
import Foundation
import Testing
import UnderstudyTesting

@Suite struct AccountsSQLiteSamples {
    private let clock = ManualClock()

    @Test func `a database keeps accounts and products, and so does its copy`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("guestbook.sqlite").path
        let copy = folder.appendingPathComponent("monday.sqlite").path

        let database = try SQLiteDatabase(path: path)
        let accounts = AccountService(
            database,
            hasher: PasswordHasher(),
            clock: clock
        )
        try await accounts.signUp(
            name: "Lisa",
            email: "lisa@rules.example",
            password: "eighteen long words",
            for: ClientContext()
        )
        try await database.addProducts([Product(name: "Car", description: "A beautiful car", image: "car")])
        try await database.backup(to: copy)

        for kept in [try SQLiteDatabase(path: path), try SQLiteDatabase(path: copy)] {
            let accounts: any AccountStore = kept
            #expect(try await accounts.account(email: AccountKey("lisa@rules.example"))?.name == "Lisa")
            #expect(try await kept.products.get().map(\.name) == ["Car"])
        }
    }
}
