import BusinessLogic
import Synchronization

@testable import OperatorPages

/// What operators see and change, in memory. It counts what pages change.
final class AdministrationStub: Administration {
    static let token = "a token of the server"
    static let time = Timestamp(milliseconds: 1_700_000_000_000)
    static let facts = Overview.Facts(
        health: "ready",
        version: "1.0",
        running: "for 1 s",
        sessions: "1",
        connections: "1",
        requests: "1",
        logins: "0",
        mails: nil,
        memory: "1 MiB",
        certificate: nil
    )

    private struct State {
        var isTokenValid = true
        var changes: [String] = []
        var result = ChangeResult.changed
        var accounts: [ShownAccount] = []
        var session: SessionDetails?
        var mails: [MailSummary] = []
    }

    private let state = Mutex(State())

    var changes: [String] { state.withLock(\.changes) }

    func changeToken() { state.withLock { $0.isTokenValid = false } }

    func answer(_ result: ChangeResult) { state.withLock { $0.result = result } }

    func use(_ accounts: [ShownAccount]) { state.withLock { $0.accounts = accounts } }

    func use(_ session: SessionDetails?) { state.withLock { $0.session = session } }

    func use(_ mails: [MailSummary]) { state.withLock { $0.mails = mails } }

    static func account(_ username: String) -> ShownAccount {
        ShownAccount(
            names: ShownAccount.Names(
                id: "id of \(username)",
                username: username,
                name: "Name of \(username)",
                email: "\(username)@example.com",
                confirmed: nil,
                contactEmail: nil,
                userID: nil
            ),
            access: ShownAccount.Access(
                created: time,
                state: "active",
                isDisabled: false,
                failures: 0,
                password: "argon2id",
                factors: nil
            ),
            note: "",
            roles: [],
            sessions: []
        )
    }

    static func session(events: Int) -> SessionDetails {
        SessionDetails(
            summary: SessionSummary(
                number: 1,
                id: "0123abcd",
                account: "1",
                username: "lisa",
                created: time,
                lastUsed: time,
                events: events,
                size: 100
            ),
            values: [],
            pages: [],
            commands: []
        )
    }

    // MARK: Administration

    func logIn(token: String, as name: String, for client: ClientContext) async throws -> User? {
        token == Self.token ? User(username: name, id: "1") : nil
    }

    func isLoggedIn(_ operator: User) async throws -> Bool { state.withLock(\.isTokenValid) }

    func overview() async throws -> Overview {
        Overview(facts: Self.facts, slowest: [], problems: [], nodes: [], errors: [])
    }

    func accounts(_ search: String, after last: [UInt8]?, limit: Int) async throws -> [AccountSummary] {
        let all = state.withLock(\.accounts).map {
            AccountSummary(
                id: $0.names.id,
                username: $0.names.username,
                name: $0.names.name,
                created: $0.access.created,
                state: $0.access.state,
                key: Array($0.names.username.utf8)
            )
        }
        return Array(
            all.filter { $0.username.contains(search) && (last ?? []).lexicographicallyPrecedes($0.key) }.prefix(limit)
        )
    }

    func account(_ name: String) async throws -> ShownAccount? {
        state.withLock(\.accounts).first { $0.names.username == name || $0.names.id == name }
    }

    func change(_ account: String, _ action: AccountAction, by operator: ClientContext) async throws -> ChangeResult {
        state.withLock { state in
            state.changes.append("\(`operator`.user?.username ?? "-"): \(action) \(account)")
            if action == .delete { state.accounts.removeAll { $0.names.id == account } }
            return state.result
        }
    }

    func sessions(_ selection: SelectedSessions, after last: Int, limit: Int) async throws -> [SessionSummary] {
        if selection.account == "unknown" { throw InvalidSelection.account }
        if selection.address == "here" { throw InvalidSelection.address }
        return state.withLock(\.session).map { [$0.summary] } ?? []
    }

    func session(_ id: String) async throws -> SessionDetails? { state.withLock(\.session) }

    func sessionAsJSON(_ id: String) async throws -> String? {
        state.withLock(\.session).map { #"{"id":"\#($0.summary.id)"}"# }
    }

    func endSession(_ id: String, by operator: ClientContext) async throws -> Bool {
        state.withLock { state in
            defer { state.session = nil }
            if state.session != nil { state.changes.append("\(`operator`.user?.username ?? "-"): end \(id)") }
            return state.session != nil
        }
    }

    func mails(after last: Int, limit: Int) async throws -> [MailSummary] {
        Array(state.withLock(\.mails).filter { $0.number > last }.prefix(limit))
    }

    func retryMail(_ id: String, by operator: ClientContext) async throws -> Bool {
        state.withLock { $0.mails.contains { $0.id == id && $0.hasFailed } }
    }

    func discardMail(_ id: String, by operator: ClientContext) async throws -> Bool {
        state.withLock { state in
            defer { state.mails.removeAll { $0.id == id } }
            return state.mails.contains { $0.id == id }
        }
    }
}
