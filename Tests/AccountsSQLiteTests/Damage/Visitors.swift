@testable import Understudy

/// Users of a service whose accounts and sessions are in a file, and the requests that they send.
struct Visitors {
    static let clock = ManualClock()
    static let names = ["ada@rules.example", "bob@rules.example", "eve@rules.example"]

    /// A session that a user continues.
    struct Visit {
        let user: String
        var token: String
        let device: String
        /// The token before the login, whose response can be repeated.
        let formerToken: String
    }

    /// Sessions that are stored after each event.
    private(set) var shared: [Visit] = []
    /// Sessions that a server has saved when it stopped.
    private(set) var saved: [Visit] = []

    /// Fills a new file.
    init(path: String) async throws {
        let database = try SQLiteDatabase(path: path)
        let accounts = try Self.accounts(database)
        try await database.addProducts([.car])
        for name in Self.names {
            try await accounts.signUp(name: name, email: name, password: "eighteen long words", for: ClientContext())
            _ = try await accounts.authenticate(username: name, password: "wrong", for: ClientContext())
        }
        for mode in [SessionMode.memory, .database] {
            let service = Self.service(database, accounts, mode)
            for name in Self.names {
                let id = try await database.account(username: name)?.id.text
                let device = try await accounts.issueDeviceToken(to: User(username: name, id: id), ClientContext())
                let former = try await Self.send(service, .post, "/session").body["token"]?.string ?? ""
                let login = try await Self.logIn(service, name, former)
                let token = try #require(login["token"]?.string)
                let visit = Visit(user: name, token: token, device: device ?? "", formerToken: former)
                _ = try await Self.use(service, visit)
                if mode == .memory { saved.append(visit) } else { shared.append(visit) }
            }
            try await service.saveSessions()
        }
        let other = Account.sample("zoe", created: Self.clock.now.milliseconds)
        try await database.add([other])
        try await database.revokeSessions(of: other.id)
        let outbox = DatabaseOutbox(database, clock: Self.clock)
        for name in Self.names {
            try await outbox.add(Mail(recipient: name, subject: "Hello", text: "Hello!\n", expires: Self.clock.now))
        }
        for mail in try await outbox.claim(limit: 2) {
            try await outbox.recordFailure(of: mail.mail.id, reason: "busy", retryingAt: nil)
        }
        database.close()
    }

    static func accounts(_ database: SQLiteDatabase) throws -> AccountService {
        AccountService(
            database,
            hasher: try PasswordHasher(cost: Argon2Cost(memory: 8, iterations: 1), workers: 1),
            clock: clock
        )
    }

    static func service(
        _ database: SQLiteDatabase,
        _ accounts: AccountService,
        _ mode: SessionMode
    ) -> UnderstudyService {
        var configuration = ServiceConfiguration()
        configuration.clock = clock
        configuration.sessionStore = database.sessions { 0 }
        configuration.sessionMode = mode
        configuration.issueDeviceToken = accounts.issueDeviceToken
        let pages = Page.bundled(
            credentials: accounts,
            userIDs: accounts,
            accounts: accounts,
            repository: database.products,
            personSaving: accounts,
            clock: clock
        )
        return UnderstudyService(pages: pages, configuration: configuration, logger: silent)
    }

    static let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }

    /// Uses everything that reads the file, and expects no more than a failure.
    ///
    /// - Returns: the number of sessions that have ended or do not work.
    func use(_ database: SQLiteDatabase, path: String) async throws -> Int {
        var failures = 0
        let accounts = try Self.accounts(database)
        for (mode, visits) in [(SessionMode.memory, saved), (.database, shared)] {
            let service = Self.service(database, accounts, mode)
            try? await service.restoreSessions()
            for visit in visits where try await !Self.use(service, visit) { failures += 1 }
            for visit in visits { _ = try await Self.logIn(service, visit.user, visit.formerToken, visit.device) }
            await service.removeExpiredSharedSessions()
            try? await service.saveSessions()
        }
        await Self.administer(database, accounts)
        try await Self.followTopics(database, path: path)
        try await Self.list(database)
        return failures
    }

    static func administer(_ database: SQLiteDatabase, _ accounts: AccountService) async {
        for account in (try? await database.accounts(after: nil, limit: 10)) ?? [] {
            let id = account.id
            _ = try? await database.account(email: account.email)
            _ = try? await database.devices(of: id).map { $0.expires + .seconds(1) }
            _ = try? await database.failureCounts(of: [id])[id]?.lockedUntil(at: clock.now)
            _ = try? await database.storedSessions(of: id)
            let (name, password) = (account.username, "eighteen long words")
            _ = try? await accounts.authenticate(username: name, password: password, for: ClientContext())
            _ = try? await accounts.unlock(id)
            _ = try? await database.change(id, revokingSessions: true) { $0.name += "!" }
            _ = try? await accounts.setDisabled(true, id)
        }
        _ = try? await database.revocations
        _ = try? await database.products.get()
        let outbox = DatabaseOutbox(database, clock: clock)
        for mail in (try? await outbox.mails(after: 0, limit: 9)) ?? [] {
            _ = try? await outbox.retry(mail.mail.id)
            _ = try? await outbox.recordFailure(of: mail.mail.id, reason: "", retryingAt: mail.due + .seconds(1))
        }
        for mail in (try? await outbox.claim(limit: 9)) ?? [] { _ = try? await outbox.release(mail.mail.id) }
        _ = try? await outbox.summary
        _ = try? await outbox.removeFailed(before: clock.now, keeping: 1)
    }

    /// Reads what another process publishes.
    static func followTopics(_ database: SQLiteDatabase, path: String) async throws {
        let shared = DatabaseTopics(database, Topics(), clock: clock)
        try await shared.read()
        let other = try SQLiteDatabase(path: path)
        defer { other.close() }
        _ = try? await other.write(of: .topics, [PublicationTable.insert(Publication("topic"))])
        try await shared.read()
    }

    /// Lists the accounts one by one, and expects an end.
    static func list(_ database: SQLiteDatabase) async throws {
        var (key, count): ([UInt8]?, Int) = (nil, 0)
        while let account = try? await database.accounts(after: key, limit: 1).last, count < 10 {
            key = account.usernameKey
            count += 1
        }
        #expect(count <= names.count + 1)
    }

    // MARK: Requests

    /// Continues a session on each page.
    ///
    /// - Returns: whether the session works as before.
    static func use(_ service: UnderstudyService, _ visit: Visit) async throws -> Bool {
        let session = try await send(service, .get, "/session", visit.token).body
        var works = session["user"]?["username"]?.string == visit.user
        for query in ["", "?since=1"] { try await send(service, .get, "/session/history\(query)", visit.token) }
        for (page, body) in [
            ("email", #"{"email":"a@b.example"}"#), ("products", nil), ("register", #"{"userID":"012345678912"}"#),
            ("signup", #"{"event":"nameChanged","values":{"name":"Lisa"}}"#), ("products", #"{"product":"Car"}"#),
            ("login", #"{"username":"zoe","password":"wrong"}"#), ("home", nil),
        ] {
            let status = try await send(service, .post, "/\(page)", visit.token, body).status
            works = works && [200, 400, 422].contains(status)
            try await send(service, .get, "/\(page)", visit.token)
        }
        try await send(service, .post, "/email", visit.token, #"{"email":"x"}"#, key: "a")
        return works
    }

    static func logIn(
        _ service: UnderstudyService,
        _ user: String,
        _ token: String,
        _ device: String? = nil
    ) async throws -> Value {
        let body = #"{"username":"\#(user)","password":"eighteen long words"}"#
        return try await send(service, .post, "/login", token, body, key: "login", device: device).body
    }

    /// Sends a request, and returns the status and the body of its response.
    @discardableResult
    static func send(
        _ service: UnderstudyService,
        _ method: HTTPMessages.Method,
        _ path: String,
        _ token: String? = nil,
        _ body: String? = nil,
        key: String? = nil,
        device: String? = nil
    ) async throws -> (status: Int, body: Value) {
        var headers: [(name: HeaderName, value: String)] = []
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if let key { headers.append(("Idempotency-Key", key)) }
        if let device { headers.append(("Device-Token", device)) }
        let request = Request(method, path, headers: Headers(headers), body: (body ?? "").bytes)
        let response = await service.respond(to: request)
        return (response.status, (try? JSONReader.read(response.body)) ?? .null)
    }
}
