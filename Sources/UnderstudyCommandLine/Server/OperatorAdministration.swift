import Accounts
import AccountsDatabase
import Addresses
import BundledControllers
import BusinessLogic
import OperatorPages
import RateLimiting
import SessionStorage
import Understudy

/// What operators see and change on their port: what the commands do, with the database of the server.
struct OperatorAdministration: Administration {
    let token: OperatorToken
    /// The database; `nil` for the demonstration, which stores nothing.
    let database: (any Database)?
    /// The sessions of the application.
    let directory: any SessionDirectory
    /// Where mails wait until they are sent.
    let outbox: any OutboxStore
    let clock: any WallClock
    let audit: any AuditLog
    let hasher: PasswordHasher
    /// The pages of the application, whose sessions operators see.
    let pages: [Page]
    /// How the server is.
    let status: @Sendable () async throws -> ServerStatus

    /// How often one address may enter a wrong token.
    private let failures = AddressLimit(Rate(10, per: .seconds(60)), limitsLoopback: true)

    /// The maximum number of sessions of an account that are shown.
    private static let maximumSessions = 100

    init(
        token: OperatorToken,
        database: (any Database)?,
        directory: any SessionDirectory,
        outbox: any OutboxStore,
        clock: any WallClock,
        audit: any AuditLog,
        hasher: PasswordHasher,
        pages: [Page],
        status: @escaping @Sendable () async throws -> ServerStatus
    ) {
        self.token = token
        self.database = database
        self.directory = directory
        self.outbox = outbox
        self.clock = clock
        self.audit = audit
        self.hasher = hasher
        self.pages = pages
        self.status = status
    }

    // MARK: Login

    func logIn(token text: String, as name: String, for client: ClientContext) async throws -> User? {
        // Counted before anything waits, so that attempts at once cannot exceed the limit.
        if let delay = failures.take(client.address, isForwarded: client.isForwarded, at: clock.steady) {
            throw CollaboratorError.tooManyRequests(retryAfter: delay)
        }
        let id: String?
        do {
            id = try token.id(of: text)
        } catch {
            // Without the file, no token is wrong.
            failures.giveBack(client.address, isForwarded: client.isForwarded)
            throw error
        }
        if id != nil { failures.giveBack(client.address, isForwarded: client.isForwarded) }
        var event = AuditEvent(id == nil ? .operatorLoginFailed : .operatorLogin, at: clock.now, client: client)
        // What is typed before a wrong token can be a password.
        if id != nil { event.operatorName = name }
        await audit.record(event)
        return id.map { User(username: name, id: $0) }
    }

    func isLoggedIn(_ operator: User) async throws -> Bool { try token.id == `operator`.id }

    /// Records that an operator has logged out.
    func recordLogout(of operator: ClientContext) async {
        await log(of: `operator`).record(AuditEvent(.operatorLogout, at: clock.now))
    }

    // MARK: Overview

    func overview() async throws -> Overview {
        let status = try await status()
        let nodes = status.servers.isEmpty ? [.current] : status.servers
        let facts = Dictionary(status.summary.map { ($0.name, $0.text) }) { $1 }
        return Overview(
            facts: Overview.Facts(
                health: facts["Health"] ?? "",
                version: facts["Version"] ?? "",
                running: facts["Running"] ?? "",
                sessions: facts["Sessions"] ?? "",
                connections: facts["Connections"] ?? "",
                requests: facts["Requests"] ?? "",
                logins: facts["Logins"] ?? "",
                mails: facts["Mails"],
                memory: facts["Memory"] ?? "",
                certificate: facts["Certificate"]
            ),
            slowest: status.slowest.map {
                Overview.PageTime(page: $0.page, event: $0.event, requests: $0.requests, mean: $0.mean)
            },
            problems: status.problems.map { Overview.ProblemCount(problem: $0.code, requests: $0.requests) },
            nodes: nodes.map { Overview.Node(name: $0.name, version: $0.version, since: $0.since) },
            errors: status.errors
        )
    }

    // MARK: Accounts

    func accounts(_ search: String, after last: [UInt8]?, limit: Int) async throws -> [AccountSummary] {
        guard let database else { return [] }
        let accounts =
            search.isEmpty
            ? try await database.accounts(after: last, limit: limit)
            : try await database.accounts(matching: search, after: last, limit: limit)
        return try await AccountEntry.entries(accounts, in: database).map { entry in
            AccountSummary(
                id: entry.account.id.text,
                username: entry.account.username,
                name: entry.account.name,
                created: entry.account.created,
                state: entry.state,
                key: entry.account.usernameKey
            )
        }
    }

    func account(_ name: String) async throws -> ShownAccount? {
        guard let database, let account = try await database.account(named: name),
            let entry = try await AccountEntry.entries([account], in: database).first
        else { return nil }
        let sessions = try await list(
            SessionFilter(user: account.id.text),
            after: 0,
            limit: Self.maximumSessions
        )
        return ShownAccount(
            names: ShownAccount.Names(
                id: account.id.text,
                username: account.username,
                name: account.name,
                email: account.email,
                confirmed: account.emailConfirmed,
                contactEmail: account.contactEmail,
                userID: account.userID
            ),
            access: ShownAccount.Access(
                created: account.created,
                state: entry.state,
                isDisabled: account.isDisabled,
                failures: entry.failures,
                password: account.passwordParameters ?? "not usable",
                factors: entry.factors
            ),
            note: account.note ?? "",
            roles: account.roles,
            sessions: sessions
        )
    }

    func change(_ account: String, _ action: AccountAction, by operator: ClientContext) async throws -> ChangeResult {
        guard let database else { return .unknown }
        let id = AccountID(account)
        let service = AccountService(
            accounts: database,
            throttles: database,
            hasher: hasher,
            clock: clock,
            audit: log(of: `operator`)
        )
        do {
            if try await change(id, action, service) {
                try await directory.followRevocations()
                return .changed
            }
        } catch let error as any AccountRejection {
            return .rejected("\(error)")
        }
        return try await database.account(id) == nil ? .unknown : .unchanged
    }

    private func change(_ id: AccountID, _ action: AccountAction, _ service: AccountService) async throws -> Bool {
        switch action {
        case .disable: return try await service.setDisabled(true, id)
        case .enable: return try await service.setDisabled(false, id)
        case .unlock: return try await service.unlock(id)
        case .endSessions: return try await service.endSessions(of: id)
        case .note(let text): return try await service.setNote(text.isEmpty ? nil : text, of: id)
        case .addRole(let role): return try await service.changeRoles(of: id, adding: [role])
        case .removeRole(let role): return try await service.changeRoles(of: id, removing: [role])
        case .rename(let name):
            try AccountRules.check(email: nil, username: name)
            return try await service.rename(id, to: name)
        case .changeEmail(let address):
            try AccountRules.check(email: address)
            return try await service.setEmail(address, of: id)
        case .delete: return try await service.delete(id)
        }
    }

    // MARK: Sessions

    func sessions(_ selection: SelectedSessions, after last: Int, limit: Int) async throws -> [SessionSummary] {
        var filter = SessionFilter()
        if !selection.account.isEmpty {
            guard let account = try await database?.account(named: selection.account) else {
                throw InvalidSelection.account
            }
            filter.user = account.id.text
        }
        if !selection.address.isEmpty {
            guard let address = IPAddress(selection.address) else { throw InvalidSelection.address }
            filter.address = try await directory.hash(of: address)
        }
        return try await list(filter, after: last, limit: limit)
    }

    private func list(_ filter: SessionFilter, after last: Int, limit: Int) async throws -> [SessionSummary] {
        var usernames = Usernames(database: database)
        var summaries: [SessionSummary] = []
        for session in try await directory.sessions(filter, after: last, limit: limit) {
            summaries.append(SessionSummary(session, username: try await usernames.name(of: session.user)))
        }
        return summaries
    }

    func session(_ id: String) async throws -> SessionDetails? {
        guard let (session, shown) = try await shown(id) else { return nil }
        var usernames = Usernames(database: database)
        return shown.details(SessionSummary(session, username: try await usernames.name(of: session.user)))
    }

    func sessionAsJSON(_ id: String) async throws -> String? { try await shown(id)?.shown.json }

    private func shown(_ id: String) async throws -> (session: ListedSession, shown: ShownSession)? {
        guard let session = try await directory.sessions(brief: id).first,
            let content = try await directory.content(of: session)
        else { return nil }
        return (session, ShownSession(content, session, pages: pages))
    }

    func endSession(_ id: String, by operator: ClientContext) async throws -> Bool {
        let sessions = try await directory.sessions(brief: id)
        // One of four billion pairs has the same digits.
        guard sessions.count == 1, let session = sessions.first else { return false }
        try await directory.end(session)
        await record(
            .sessionEnded,
            account: session.user.flatMap(AccountID.init),
            reason: session.brief,
            by: `operator`
        )
        return true
    }

    // MARK: Mails

    func mails(after last: Int, limit: Int) async throws -> [MailSummary] {
        let now = clock.now
        return try await outbox.mails(after: last, limit: limit).map { mail in
            let entry = MailEntry(stored: mail, now: now)
            return MailSummary(
                number: mail.number,
                id: mail.mail.id,
                added: mail.queued,
                attempts: mail.attempts,
                recipient: mail.mail.recipient,
                state: entry.state + (mail.reason.map { ": \($0)" } ?? ""),
                hasFailed: mail.failed != nil
            )
        }
    }

    func retryMail(_ id: String, by operator: ClientContext) async throws -> Bool {
        guard try await outbox.retry(id) else { return false }
        await record(.mailRetried, reason: id, by: `operator`)
        return true
    }

    func discardMail(_ id: String, by operator: ClientContext) async throws -> Bool {
        guard try await outbox.discard(id) else { return false }
        await record(.mailDiscarded, reason: id, by: `operator`)
        return true
    }

    // MARK: Audit

    private func log(of operator: ClientContext) -> OperatorAuditLog {
        OperatorAuditLog(log: audit, operatorName: `operator`.user?.username ?? "", client: `operator`)
    }

    private func record(_ kind: AuditEvent.Kind, account: AccountID? = nil, reason: String, by operator: ClientContext)
        async
    {
        await log(of: `operator`).record(AuditEvent(kind, at: clock.now, account: account, reason: reason))
    }
}

/// A reason why a change of an account is not possible, as a sentence for the operator.
protocol AccountRejection: Error {}
extension AccountConflict: AccountRejection {}
extension AccountTextTooLong: AccountRejection {}
extension RoleError: AccountRejection {}
extension CommandError: AccountRejection {}
