@testable import Understudy

/// Requests whose session ends, or gets another id, while they wait for it.
struct InvalidatedTokenTests {
    let clock = ManualClock()
    let gate = Latch()

    func service(_ configure: ServiceChange = { _ in }) -> UnderstudyService {
        // Batman's password is checked when the gate is open.
        let credentials = CredentialCheck { [gate] username, password, _ in
            await gate.wait()
            return username == "batman" && password == "bruce" ? User(username: username, id: "id-of-batman") : nil
        }
        let pages = Page.bundled(credentials: credentials, clock: clock)
        return UnderstudyService(pages: pages + [CountingController.page]) {
            $0.clock = clock
            configure(&$0)
        }
    }

    /// How a client names its session.
    enum Credential: CaseIterable {
        case cookie, token

        func headers(_ token: String) -> Headers {
            switch self {
            case .cookie: ["Cookie": "session=\(token)"]
            case .token: ["Authorization": "Bearer \(token)"]
            }
        }
    }

    func attempt(_ credential: Headers, key: String? = nil, password: String = "bruce") -> Request {
        let body = #"{"username":"batman","password":"\#(password)"}"#
        return .json("/login", body, credential.adding(optional: [("Idempotency-Key", key)]))
    }

    /// A service, and the header fields of a new session.
    func session(
        _ credential: Credential,
        _ configure: ServiceChange = { _ in }
    ) async throws -> (UnderstudyService, Headers) {
        let service = service(configure)
        return (service, credential.headers(try await service.newToken()))
    }

    // MARK: While a request waits

    @Test(arguments: Credential.allCases)
    func `a request that waits for a login gets 401, and does not run`(credential: Credential) async throws {
        let (service, headers) = try await session(credential)
        let login = service.begin(attempt(headers))
        await gate.arrivals.reaches(1)
        let requests = [
            (Method.post, "/counter"), (.get, "/counter"), (.get, "/session"), (.get, "/session/history"),
            (.delete, "/session"),
        ]
        let waiting = requests.map { service.begin(Request($0, $1, headers: headers)) }
        gate.open()
        let answer = expect(await login.value, 200)
        for task in waiting {
            #expect(try await expect(task.value, 401, "notAuthenticated").cookie == nil)
        }
        let session = Request(.get, "/counter", headers: try renewed(credential, by: answer))
        #expect(try await service.send(session)["rendered"] == [:])
    }

    /// The header fields with the token that the answer to a login contains.
    func renewed(_ credential: Credential, by answer: Answer) throws -> Headers {
        let cookie = answer.cookie?.split(separator: "=").last.map(String.init)
        return credential.headers(try #require(credential == .token ? answer["token"]?.string : cookie))
    }

    @Test(arguments: [(Credential.cookie, false), (.token, false), (.token, true)])
    func `a request that waits for a session that ends gets 401`(credential: Credential, isEvicted: Bool) async throws {
        let (service, headers) = try await session(credential) { $0.sessions.maximum = 1 }
        let login = service.begin(attempt(headers, password: "joker"))
        await gate.arrivals.reaches(1)
        let end = service.begin(Request(isEvicted ? .post : .delete, "/session", headers: isEvicted ? [:] : headers))
        let waiting = (1...3).map { _ in service.begin(Request(.post, "/counter", headers: headers)) }
        gate.open()
        #expect(await end.value.status == (isEvicted ? 201 : 204))
        _ = await login.value
        for task in waiting { expect(await task.value, 401) }
    }

    // MARK: After the login

    @Test(arguments: Credential.allCases)
    func `for a minute, a replaced id gets 401 without a cookie`(credential: Credential) async throws {
        let (service, headers) = try await session(credential)
        gate.open()
        expect(await service.send(attempt(headers)), 200)
        // Setting the clock does not change the minute.
        clock.set(by: .seconds(-3600))
        clock.advance(by: .milliseconds(59_999))
        for method in [Method.post, .get] {
            #expect(await expect(service.send(Request(method, "/counter", headers: headers)), 401).cookie == nil)
        }
        clock.advance(by: .milliseconds(1))
        expect(await service.send(Request(.post, "/counter", headers: headers)), credential == .cookie ? 200 : 401)
    }

    // MARK: A login whose response was lost

    @Test(arguments: Credential.allCases)
    func `the same key and body get the login's response again with the old token`(credential: Credential) async throws
    {
        let german = try Translations(catalog: catalog(["login.welcome": ["de": unit("Hallo")]]))
        let (service, session) = try await session(credential) { $0.translations = german }
        let headers = session.adding(optional: [("Prefer", "return=representation")])
        gate.open()
        let first = await service.send(attempt(headers.adding(optional: [("Accept-Language", "de")]), key: "a"))
        let again = expect(await service.send(attempt(headers, key: "a")), 200, has: ["Content-Language": "de"])
        #expect(again.headers.count == first.headers.count + 1)
        #expect(again.isReplayed)
        #expect(again.text == first.text)
        #expect(again.header("Set-Cookie") == first.header("Set-Cookie"))
        #expect(gate.arrivals.count == 1)
        expect(await service.send(attempt(headers, key: "b")), 401)
        try expect(await service.send(attempt(headers, key: "a", password: "Bruce")), 422, "idempotencyKeyReused")
        #expect(gate.arrivals.count == 1)
        clock.advance(by: .seconds(60))
        #expect(await !service.send(attempt(headers, key: "a")).isReplayed)
    }

    @Test(arguments: Credential.allCases)
    func `the login of a session that has ended is not answered again`(credential: Credential) async throws {
        let (service, headers) = try await session(credential)
        gate.open()
        let current = try renewed(credential, by: await service.send(attempt(headers, key: "a")))
        #expect(await service.send(attempt(headers, key: "a")).isReplayed)
        expect(await service.send(Request(.delete, "/session", headers: current)), 204)
        #expect(try await expect(service.send(attempt(headers, key: "a")), 401, "notAuthenticated").cookie == nil)
        #expect(gate.arrivals.count == 1)
    }

    @Test func `a repeated login that waits for the first gets its response`() async throws {
        let (service, headers) = try await session(.token)
        let first = service.begin(attempt(headers, key: "a"))
        await gate.arrivals.reaches(1)
        let again = service.begin(attempt(headers, key: "a"))
        gate.open()
        #expect(await again.value.text == first.value.text)
        #expect(gate.arrivals.count == 1)
    }

    // MARK: A password change during a login

    @Test(arguments: [(true, "batman", 401), (false, "batman", 401), (true, "robin", 200)])
    func `a login during which its user's sessions are ended does not survive`(
        isNewSession: Bool,
        ended: String,
        status: Int
    ) async throws {
        let service = service()
        let headers: Headers = isNewSession ? [:] : Credential.token.headers(try await service.newToken())
        let login = service.begin(attempt(headers))
        await gate.arrivals.reaches(1)
        try await service.endSessions(ofUser: "id-of-\(ended)")
        gate.open()
        let answer = await login.value
        expect(answer, status)
        #expect((answer.header("Set-Cookie") != nil) == (status == 200))
        #expect(service.liveSessions.count == (status == 200 ? 1 : 0))
    }

    // MARK: Devices

    /// The tokens of the devices on which users have logged in.
    let tokens = LockedValue<[String?]>([])

    var issueToken: @Sendable (User, ClientContext) -> String {
        { [tokens] user, client in
            tokens.append(client.deviceToken)
            return "device-of-\(user.username)"
        }
    }

    @Test func `a login gives a browser a device cookie`() async throws {
        let service = service {
            $0.isPublicAddressSecure = true
            $0.issueDeviceToken = issueToken
        }
        gate.open()
        let answer = await service.send(attempt([:]))
        let cookie = "__Host-device=device-of-batman; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000"
        #expect(answer.values("Set-Cookie").contains(cookie))
        #expect(try answer["deviceToken"] == nil)
        let session = try #require(answer.values("Set-Cookie").first { $0.hasPrefix("__Host-session=") })
        let cookies: Headers = ["Cookie": String(session.prefix { $0 != ";" })]
        let logout = await service.send(Request(.delete, "/session", headers: cookies))
        #expect(logout.headers.count { $0.value.contains("device") } == 0)
        _ = await service.send(attempt(["Cookie": "a=b; __Host-device=device-of-batman"]))
        #expect(tokens.value == [nil, "device-of-batman"])
    }

    @Test func `a login gives a bearer client a device token`() async throws {
        let (service, headers) = try await session(.token) { $0.issueDeviceToken = issueToken }
        gate.open()
        let answer = await service.send(attempt(headers.adding(optional: [("Device-Token", "old")])))
        #expect(try answer["deviceToken"] == "device-of-batman")
        #expect(try answer["token"] != nil)
        #expect(answer.cookie == nil)
        #expect(tokens.value == ["old"])
    }

    @Test func `a login succeeds even if no device token can be issued`() async throws {
        let service = service { $0.issueDeviceToken = { _, _ in throw Outage() } }
        gate.open()
        #expect(await expect(service.send(attempt([:])), 200).headers.count { $0.name == "Set-Cookie" } == 1)
    }
}
