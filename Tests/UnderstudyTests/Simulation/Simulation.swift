import Synchronization

/// Two servers with one database, and clients that use both at the same time, repeat requests, lose responses and log in: in one thread, in an
/// order that a seed determines.
///
/// Each client knows what its session must contain. What contradicts this is a violation:
/// - An event has one effect, however often it is sent: in the session, and in what the page has written to the database.
/// - What was acknowledged is there, on both servers.
/// - A client finds only its own session.
/// - A session accepts no more requests once its client has ended it, or its user's sessions have been ended, and none with a token that a
///   login has replaced.
/// - A login with a password that is changed meanwhile does not survive the end of the user's sessions.
final class Simulation: Sendable {
    let executor: SeededExecutor
    let store: SimulatedStore
    let servers: [UnderstudyService]
    let found = Mutex<[String]>([])

    static let clients = 3
    static let acts = 12
    /// Enough for a request whose database fails again and again.
    static let attempts = 60

    /// What the simulation has found.
    static func violations(seed: UInt64, flaw: SimulatedStore.Flaw? = nil) -> [String] {
        let simulation = Simulation(seed: seed, flaw: flaw)
        let hasEnded = simulation.executor.run {
            await withTaskGroup { group in
                for number in 0..<clients { group.addTask { await simulation.use(as: "client\(number)") } }
            }
        }
        return simulation.found.withLock { $0 } + (hasEnded ? [] : ["A request never gets a response."])
    }

    private init(seed: UInt64, flaw: SimulatedStore.Flaw?) {
        executor = SeededExecutor(seed: seed)
        let store = SimulatedStore(executor, flaw: flaw)
        self.store = store
        let (executor, clock) = (executor, ManualClock())
        servers = (0..<2).map { _ in
            let page = Page("ledger") { LedgerController($0.identity, store, executor) }
            return UnderstudyService(pages: [page], logger: LogCapture().logger) {
                $0.clock = clock
                $0.sessionStore = store
                $0.sessionMode = .database
            }
        }
    }

    // MARK: A client

    struct Account {
        let name: String
        var token = ""
        /// The entries of the session, and of all sessions.
        var entries = 0
        var total = 0
        var isLoggedIn = false
        var password = 0
        var keys = 0
        /// The acknowledged events of the session.
        var events: [KeyedEvent] = []
    }

    /// An event with the key with which it is repeated.
    typealias KeyedEvent = (token: String, key: String, body: String)

    func use(as name: String) async {
        var account = Account(name: name)
        await start(&account)
        for _ in 0..<Self.acts {
            switch executor.number(below: 10) {
            case 0, 1: await logIn(&account)
            case 2: await endSessions(&account)
            case 3: await end(&account)
            case 4: await look(account)
            case 5: await lookBack(account)
            default: await add(&account)
            }
        }
        store.repair()
        await look(account)
        await lookBack(account)
        let total = try? await store.entries(of: name)
        if total != account.total {
            violate("\(name) has \(total ?? -1) entries in the database after \(account.total) acknowledged ones.")
        }
    }

    func start(_ account: inout Account) async {
        guard let answer = await repeated({ await self.send(.post, "/session") }), let token = answer["token"]?.string
        else { return violate("\(account.name) cannot start a session.") }
        (account.token, account.entries, account.isLoggedIn, account.events) = (token, 0, false, [])
    }

    func add(_ account: inout Account) async {
        guard let answer = await act("add", &account) else { return }
        account.entries += 1
        account.total += 1
        check(answer["commands"]?.array?.last?["value"], account, "after an event")
    }

    func logIn(_ account: inout Account) async {
        let former = account
        guard let answer = await act("logIn", &account) else { return }
        guard let token = answer["token"]?.string else { return violate("\(account.name) gets no token at a login.") }
        await requireEnd(of: former, "a token that a login has replaced")
        (account.token, account.isLoggedIn) = (token, true)
    }

    func end(_ account: inout Account) async {
        _ = await repeated { [account] in await self.send(.delete, "/session", account.token) }
        await requireEnd(of: account, "a session that its client has ended")
        await start(&account)
    }

    /// Changes the password and ends the user's sessions, perhaps during a login with the former password.
    func endSessions(_ account: inout Account) async {
        let login = executor.decides(50) ? newEvent("logIn", &account) : nil
        account.password += 1
        let (name, password) = (account.name, account.password)
        async let change: Void = changePassword(password, of: name)
        var answer: Value?
        if let login { answer = await repeated { await self.send(login) } }
        await change
        let token = answer?["token"]?.string
        guard account.isLoggedIn || token != nil || answer?["status"] == 401 else { return }
        await requireEnd(of: account, "a session that has been ended")
        if let token {
            account.token = token
            await requireEnd(of: account, "a login with a password that has been changed")
        }
        await start(&account)
    }

    func changePassword(_ password: Int, of name: String) async {
        for _ in 0..<executor.number(below: 6) { await executor.pause() }
        for _ in 0..<Self.attempts {
            if (try? await store.setPassword(password, of: name)) != nil { break }
        }
        for _ in 0..<Self.attempts {
            if (try? await server.endSessions(ofUser: name)) != nil { break }
        }
    }

    /// Expects that neither an event, nor the repetition of one, nor a read finds the session.
    func requireEnd(of account: Account, _ description: String) async {
        let (token, body) = (account.token, event("add", account))
        var requests: [(Method, token: String, key: String?, body: String)] = [
            (.post, token, nil, body), (.get, token, nil, ""),
        ]
        if !account.events.isEmpty {
            let event = account.events[executor.number(below: account.events.count)]
            requests.append((.post, event.token, event.key, event.body))
        }
        for (method, token, key, body) in requests {
            let answer = await repeated { await self.send(method, "/ledger", token, key: key, body: body) }
            if answer?["status"] != 401 {
                violate("\(account.name) goes on with \(description): \(answer?["detail"] ?? .null).")
            }
        }
    }

    func look(_ account: Account) async {
        guard let answer = await repeated({ await self.send(.get, "/ledger", account.token) }) else {
            return violate("\(account.name) cannot read.")
        }
        check(answer["rendered"]?["ledger"], account, "when it looks")
    }

    /// Reads the commands of the session. Each acknowledged event is there once, in its order.
    func lookBack(_ account: Account) async {
        let answer = await repeated { await self.send(.get, "/session/history", account.token) }
        let commands = answer?["commands"]?.array ?? []
        let numbers = commands.map { $0["sequence"]?.integer }
        let entries = commands.map { $0["value"]?["entries"]?.integer }
        let expected = (1..<account.entries + 1).map(Optional.some)
        if numbers != expected || entries != expected {
            violate(
                "\(account.name) has the commands \(numbers) with the entries \(entries), after \(account.entries) events."
            )
        }
    }

    func act(_ name: String, _ account: inout Account) async -> Value? {
        let event = newEvent(name, &account)
        let answer = await acknowledged(event)
        if answer != nil { account.events.append(event) }
        return answer
    }

    func newEvent(_ name: String, _ account: inout Account) -> KeyedEvent {
        account.keys += 1
        return (account.token, "\(account.name)-\(account.keys)", event(name, account))
    }

    /// Sends an event until it is acknowledged. Some requests are sent twice at the same time, and some responses are lost.
    func acknowledged(_ event: KeyedEvent) async -> Value? {
        let send: @Sendable () async -> Value = { await self.send(event) }
        let answer = await repeated {
            if self.executor.decides(30) {
                async let other = send()
                let answer = await send()
                return self.executor.decides(50) ? answer : await other
            }
            let answer = await send()
            return self.executor.decides(20) ? Value?.none : answer
        }
        if answer?["ok"] != true {
            violate("The event with the key \(event.key) is not acknowledged: \(answer?["detail"] ?? .null).")
            return Value?.none
        }
        return answer
    }

    func check(_ ledger: Value?, _ account: Account, _ occasion: String) {
        let expected: Value =
            account.entries == 0 ? .null : ["owner": .string(account.name), "entries": Value(account.entries)]
        if (ledger ?? .null) != expected {
            let found = ledger.flatMap { try? json($0) } ?? "nothing"
            violate("\(account.name) finds \(found) instead of \(expected) \(occasion).")
        }
    }

    // MARK: Requests

    var server: UnderstudyService { servers[executor.number(below: servers.count)] }

    func event(_ name: String, _ account: Account) -> String {
        let password = name == "logIn" ? #","password":\#(account.password)"# : ""
        return #"{"event":"\#(name)","values":{"owner":"\#(account.name)"\#(password)}}"#
    }

    func send(_ event: KeyedEvent) async -> Value {
        await send(.post, "/ledger", event.token, key: event.key, body: event.body)
    }

    /// Repeats a request whose response is lost or asks for it.
    func repeated(_ send: () async -> Value?) async -> Value? {
        for _ in 0..<Self.attempts {
            if let answer = await send(), answer["status"] != 503 { return answer }
        }
        return Value?.none
    }

    func send(
        _ method: Method,
        _ path: String,
        _ token: String? = nil,
        key: String? = nil,
        body: String = ""
    ) async -> Value {
        var headers: [(name: HeaderName, value: String)] = []
        if let token { headers.append((.authorization, "Bearer \(token)")) }
        if let key { headers.append(("Idempotency-Key", key)) }
        if !body.isEmpty { headers.append((.contentType, "application/json")) }
        let response = await server.respond(to: Request(method, path, headers: Headers(headers), body: body.bytes))
        return (try? JSONReader.read(response.body)) ?? .null
    }

    func violate(_ text: String) { found.withLock { $0.append(text) } }
}

/// Counts the entries of its owner, in its state and in the database.
private final class LedgerController: BusinessLogicController {
    struct Ledger: Codable, Equatable, Sendable {
        var owner = ""
        var entries = 0
    }

    static let owner = Field<String>("owner")
    static let password = Field<Int>("password")
    static let ledger = Output<Value>("ledger")

    static let events: EventTable<LedgerController> = [
        .default("add", reads: owner, gives: [.renders(ledger)]) { try await $0.add(for: $1) },
        .event("logIn", reads: owner, password) { controller, owner, password in
            guard try await controller.store.password(of: owner) == password else { return }
            await controller.executor.pause()
            controller.identity.user = User(username: owner, id: owner)
        },
    ]

    weak var controllable: (any Controllable)?
    var state = Ledger()
    let identity: any Identity
    let store: SimulatedStore
    let executor: SeededExecutor

    init(_ identity: any Identity, _ store: SimulatedStore, _ executor: SeededExecutor) {
        (self.identity, self.store, self.executor) = (identity, store, executor)
    }

    func add(for owner: String) async throws {
        state.entries += 1
        if state.owner.isEmpty { state.owner = owner }
        controllable?.render("ledger", ["owner": .string(state.owner), "entries": Value(state.entries)])
        try await store.add(to: owner)
        await executor.pause()
        // Undoes all of it.
        if executor.decides(5) { throw CollaboratorError.outage() }
    }
}
