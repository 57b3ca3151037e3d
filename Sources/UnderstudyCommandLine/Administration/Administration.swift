import Accounts
import AccountsDatabase
import BusinessLogic
import Glibc
import Understudy

/// What operators see and change, in commands and on their pages. It records each change in the audit log.
///
/// A server may use the same stores at the same time.
struct Administration: Sendable {
    /// The database; that of the demonstration is in memory.
    let database: any Database
    let directory: any SessionDirectory
    let outbox: DatabaseOutbox
    let clock: any WallClock
    var audit: any AuditLog
    let hasher: PasswordHasher
    /// Creates the pages of the application, whose sessions operators see.
    let pages: @Sendable () throws -> [Page]

    /// The same administration, which records that an operator makes the changes.
    func changed(by operator: ClientContext) -> Administration {
        var administration = self
        administration.audit = OperatorAuditLog(
            log: audit,
            operatorName: `operator`.user?.username ?? "",
            client: `operator`
        )
        return administration
    }

    /// Records a change that the account service does not make.
    func record(_ kind: AuditEvent.Kind, account: AccountID? = nil, reason: String? = nil) async {
        await audit.record(AuditEvent(kind, at: clock.now, account: account, reason: reason))
    }

    // MARK: Accounts

    /// Changes accounts. Do so in ``change(_:)``.
    var service: AccountService { AccountService(database, hasher: hasher, clock: clock, audit: audit) }

    /// Accounts in the order of their usernames, after the one with the key `last`. The username, the email address or the ID contains
    /// `search`, in any case.
    func accounts(_ search: String, after last: [UInt8]?, limit: Int) async throws -> [AccountSummary] {
        let accounts =
            search.isEmpty
            ? try await database.accounts(after: last, limit: limit)
            : try await database.accounts(matching: search, after: last, limit: limit)
        return try await summaries(of: accounts)
    }

    func summaries(of accounts: [Account]) async throws -> [AccountSummary] {
        let counts = try await database.failureCounts(of: accounts.map(\.id))
        let now = clock.now
        return accounts.map { account in
            let count = counts[account.id] ?? FailureCount()
            return AccountSummary(account: account, failures: count, lockedUntil: count.lockedUntil(at: now))
        }
    }

    /// Changes accounts in one transaction, in which the audit log records them. If another process changes the same account
    /// meanwhile, calls `body` again. Sessions that the change revokes have ended when this returns.
    func change<Value>(_ body: (AccountService) async throws -> Value) async throws -> Value {
        let service = service
        for _ in 1...5 {
            let work = UnitOfWork(database: ObjectIdentifier(database))
            do {
                let value = try await UnitOfWork.$ofTask.withValue(work) { try await body(service) }
                try await database.commit(work)
                try await directory.followRevocations()
                return value
            } catch is DataHaveChanged {}
        }
        throw CommandError("The account was changed by other programs at the same time: try again.")
    }

    // MARK: Sessions

    /// Sessions in the order in which they were started, after the one with the number `last`.
    func sessions(_ filter: SessionFilter, after last: Int?, limit: Int) async throws -> [ListedSession] {
        try await named(directory.sessions(filter, after: last ?? 0, limit: limit))
    }

    /// Sessions with the names of their users; the ID of an account that does not exist any more.
    private func named(_ sessions: [ListedSession]) async throws -> [ListedSession] {
        var (names, sessions) = ([String: String](), sessions)
        for user in Set(sessions.compactMap(\.user)) {
            names[user] = try await database.account(AccountID(user))?.username
        }
        for index in sessions.indices { sessions[index].username = sessions[index].user.map { names[$0] ?? $0 } }
        return sessions
    }

    /// A session, without secrets; `nil` if it has ended.
    func details(of session: ListedSession) async throws -> SessionDetails? {
        guard let content = try await directory.content(of: session.id),
            let session = try await named([session]).first
        else { return nil }
        return SessionDetails(content, session, pages: try pages())
    }

    /// Ends a session on all servers.
    func end(_ session: ListedSession) async throws {
        try await directory.end(session.id)
        await record(.sessionEnded, account: session.user.flatMap(AccountID.init), reason: session.brief)
    }

    // MARK: Mails

    /// Mails that wait or have failed, in the order in which they were added, after the one with the number `last`.
    func mails(after last: Int?, limit: Int) async throws -> [MailSummary] {
        let now = clock.now
        return try await outbox.mails(after: last ?? 0, limit: limit).map { MailSummary(mail: $0, now: now) }
    }

    /// Has a mail sent again. Returns `false` if it has expired, is being sent or does not exist.
    func retryMail(_ id: String) async throws -> Bool {
        guard try await outbox.retry(id) else { return false }
        await record(.mailRetried, reason: id)
        return true
    }

    /// Deletes a mail without sending it. Returns `false` if there is no such mail.
    func discardMail(_ id: String) async throws -> Bool {
        guard try await outbox.discard(id) else { return false }
        await record(.mailDiscarded, reason: id)
        return true
    }

    /// The account with a username, an email address or an ID. Throws ``CommandError`` if there is no such account.
    func knownAccount(_ name: String) async throws -> Account {
        guard let account = try await database.account(named: name) else { throw CommandError.unknownAccount(name) }
        return account
    }

    /// This administration with that account, for a command about one account.
    func withAccount(_ name: String) async throws -> (Administration, Account) { (self, try await knownAccount(name)) }
}

/// Reads a list in parts, so that not all of it is in memory, and calls `body` with each element. `read` returns the part after the key of an
/// element, or the first one for `nil`; empty at the end.
func forEach<Element, Key>(
    by key: (Element) -> Key,
    _ read: (Key?) async throws -> [Element],
    body: (Element) async throws -> Void
) async throws {
    var last: Key?
    while true {
        let part = try await read(last)
        guard let end = part.last else { return }
        for element in part { try await body(element) }
        last = key(end)
    }
}
