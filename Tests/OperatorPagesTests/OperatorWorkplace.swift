import Accounts
import AccountsDatabase
import AccountsSQLite
import Synchronization
import TestSupport

@testable import UnderstudyCommandLine

/// The administration of a database in a temporary folder, which is deleted with this object.
final class OperatorWorkplace {
    static let token = "a token of the server"

    let folder = TemporaryFolder()
    let database: SQLiteDatabase
    let clock = ManualClock()
    let sessions = SessionsStub()
    let audit = MemoryAuditLog()
    let access: OperatorAccess

    var administration: Administration { access.administration }

    init() throws {
        try folder.write("token", Self.token + "\n")
        database = try SQLiteDatabase(path: folder.path + "/database")
        let administration = Administration(
            database: database,
            directory: sessions,
            outbox: DatabaseOutbox(database, clock: clock),
            clock: clock,
            audit: audit,
            hasher: PasswordHasher(workers: 1),
            pages: { [] }
        )
        access = OperatorAccess(token: OperatorToken(path: folder.path + "/token"), administration: administration) {
            Overview(facts: .init(health: (200, "ok\n"), samples: [], now: 0))
        }
    }

    deinit { database.close() }

    func setToken(_ token: String) throws { try folder.write("token", token + "\n") }

    /// An operator who has logged in.
    func identity() throws -> StubIdentity {
        StubIdentity(ClientContext(user: User(username: "marge", id: try access.token.id)))
    }

    /// Adds accounts with these usernames. The audit log does not contain this.
    func add(_ usernames: String...) async throws {
        let accounts = usernames.map {
            Account(name: "Name", email: "\($0)@example.com", username: $0, passwordHash: "", created: clock.now)
        }
        try await database.add(accounts)
    }

    /// What the page for accounts shows of an account.
    func shown(_ name: String) async throws -> Value {
        let account = try await administration.knownAccount(name)
        let summary = try #require(try await administration.summaries(of: [account]).first)
        return summary.screenValue
    }
}

/// One session at most.
final class SessionsStub: SessionDirectory {
    let session = Mutex<ListedSession?>(nil)

    static func session(events: Int) -> ListedSession {
        let time = Timestamp.ms(1_700_000_000_000)
        return ListedSession(
            number: 1,
            id: [UInt8](1...16),
            user: nil,
            created: time,
            lastUsed: time,
            events: events,
            size: 100
        )
    }

    /// Starts the session, or adds events to it.
    func use(events: Int) { session.withLock { $0 = Self.session(events: events) } }

    func sessions(_ filter: SessionFilter, after last: Int, limit: Int) -> [ListedSession] {
        session.withLock { $0.map { [$0] } ?? [] }.filter(filter.selects)
    }

    func content(of id: [UInt8]) -> StoredSession? {
        guard let session = session.withLock(\.self) else { return nil }
        return StoredSession(
            id: session.id,
            user: nil,
            created: session.created,
            lastUsed: session.lastUsed,
            content: "{}".bytes
        )
    }

    func end(_ id: [UInt8]) { end() }

    func end() { session.withLock { $0 = nil } }

    func followRevocations() {}
}
