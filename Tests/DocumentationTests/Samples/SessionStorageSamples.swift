import AccountsSQLite
import BusinessLogic
import Foundation
import SessionStorage
import Testing

@Suite struct SessionStorageSamples {
    @Test func `a saved session is returned once`() async throws {
        let session = StoredSession(
            id: Array(repeating: 7, count: 16),
            user: nil,
            created: Timestamp(milliseconds: 1),
            lastUsed: Timestamp(milliseconds: 2),
            content: Array("{}".utf8)
        )
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let saved = try SQLiteDatabase(path: path).sessions { 0 }
        try await saved.save([session])
        #expect(try await saved.take(limit: 500) == [session])
        #expect(try await saved.take(limit: 500).isEmpty)
    }

    @Test func `a state of the first version is converted`() throws {
        #expect(try CouponStates.migrateState("ABC", from: 1) == ["code": "ABC", "failures": 0])
    }
}

/// The states of a controller in its second version.
private enum CouponStates {
    static let stateVersion = 2

    static func migrateState(_ saved: Value, from version: Int) throws -> Value {
        // In version 1, the state was the code.
        ["code": saved, "failures": 0]
    }
}
