internal import Accounts
package import BusinessLogic
package import SessionStorage
internal import SQLStatements

/// The sessions in a database: what SQLite and PostgreSQL do in the same way.
package protocol DatabaseSessions: SessionStore {
    associatedtype Database: SQLDatabase

    var store: Database { get }
    /// The number of the last revocation that the server has applied to its sessions.
    var lastRevocation: @Sendable () -> Int { get }

    /// Removes saved sessions, and returns them.
    func take(limit: Int, _ db: any SQLConnection) throws -> [StoredSession]
}

/// How long it may take to save or read thousands of sessions.
private let timeout: Duration = .seconds(60)

extension DatabaseSessions {
    package var database: ObjectIdentifier? { ObjectIdentifier(store) }

    package var isAvailable: Bool { store.isAvailable }

    package func save(_ sessions: [StoredSession]) async throws {
        guard !sessions.isEmpty else { return }
        let revocation = lastRevocation()
        let steps = sessions.map { SavedSessionTable.insert($0, revocation: revocation) }
        try await store.write(of: .sessions, timeout: timeout, key: nil, mode: .repeatable) { _ = try $0.batch(steps) }
    }

    package func take(limit: Int) async throws -> [StoredSession] {
        try await store.write(of: .sessions, timeout: timeout, key: nil, mode: .repeatable) { db in
            try take(limit: max(1, limit), db)
        }
    }

    package var addressKey: [UInt8] {
        get async throws {
            try await store.write(of: .sessions) { try $0.batch(SharedSessionTable.addressKey)[1][0].bytes(0) }
        }
    }

    package func touch(_ id: [UInt8], at now: Timestamp) async throws {
        try await store.write(of: .sessions, [SharedSessionTable.touch(id, at: now)])
    }

    package func end(_ id: [UInt8]) async throws {
        try await store.write(of: .sessions, [SharedSessionTable.delete(id)])
    }

    package func claimEndedSessions(limit: Int, at now: Timestamp) async throws -> [String] {
        let isDue = try await store.read(EndedSessionTable.isDue(at: now), of: .sessions) { try $0.first?.boolean(0) }
        guard isDue == true else { return [] }
        let claim = EndedSessionTable.claim(limit: max(1, limit), at: now)
        return try await store.write(of: .sessions) { try $0.execute(claim).compactMap { try $0.optionalText(0) } }
    }

    package func removeEndedSession(_ key: String) async throws {
        try await store.write(of: .sessions, [EndedSessionTable.delete(key)])
    }

    package func sessions(ofUser user: String) async throws -> [UserSession] {
        try await store.read(SharedSessionTable.sessions(of: AccountID(user)), of: .sessions) { rows in
            try rows.compactMap(SharedSessionTable.session)
        }
    }

    package func endSessions(ofUser user: String) async throws {
        let steps = [RevocationTable.lock(user)] + RevocationTable.revoke(AccountID(user))
        try await store.write(of: .sessions, steps)
    }
}
