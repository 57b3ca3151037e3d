import AccountStoreSuite
import Accounts
import AccountsSQLite
import Foundation
import Testing

@Suite(.enabled(if: ProcessInfo.processInfo.environment["UNDERSTUDY_COST"] != nil)) struct `Costs of a database` {
    private let folder = TemporaryFolder()

    @Test func `calls are timed`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        try await time("add") { try await database.add(.sample("\($0)")) }
        try await time("update") { number in try await database.update(.stranger(UInt16(number))) { $0.failures += 1 } }
        try await time("account(username:)") { _ = try await database.account(username: AccountKey("\($0)")) }
        try await time("sessionEndings(after:)") { _ in _ = try await database.sessionEndings(after: 0) }
        let start = ContinuousClock.now
        try await database.add((0..<10_000).map { .sample("x\($0)") })
        print("add of 10,000 in one batch: \(ContinuousClock.now - start)")
    }

    private func time(_ name: String, _ body: (Int) async throws -> Void) async throws {
        let start = ContinuousClock.now
        for number in 0..<500 { try await body(number) }
        print("\(name): \((ContinuousClock.now - start) / 500)")
    }
}
