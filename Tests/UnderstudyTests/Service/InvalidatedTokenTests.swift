import TestSupport

@testable import Understudy

/// Requests whose session ends, or gets another id, while they wait for it.
@Suite struct InvalidatedTokenTests {
    private let clock = ManualClock()
    private let gate = Latch()

    private func service(_ configure: (inout ServiceConfiguration) -> Void = { _ in }) -> UnderstudyService {
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

    private func attempt(_ credential: Headers, key: String? = nil, password: String = "bruce") -> Request {
        let headers = credential.adding(optional: [("Content-Type", "application/json"), ("Idempotency-Key", key)])
        let body = Array(#"{"username":"batman","password":"\#(password)"}"#.utf8)
        return Request(.post, "/login", headers: headers, body: body)
    }

    // MARK: While a request waits

    @Test(arguments: Credential.allCases)
    func `a request that waits for a login gets 401 without a cookie, and nothing runs`(
        credential: Credential
    ) async throws {
        let service = service()
        let headers = credential.headers(try await service.newToken())
        let login = Task.immediate { await service.send(attempt(headers)) }
        await gate.arrivals.reaches(1)
        let requests = [
            Request(.post, "/counter", headers: headers), Request(.get, "/counter", headers: headers),
            Request(.get, "/session", headers: headers), Request(.get, "/session/history", headers: headers),
            Request(.delete, "/session", headers: headers),
        ]
        let waiting = requests.map { request in Task.immediate { await service.send(request) } }
        gate.open()
        let answer = await login.value
        #expect(answer.status == 200)
        for task in waiting {
            let rejected = await task.value
            try expect(rejected, 401, "notAuthenticated")
            #expect(rejected.header("Set-Cookie") == nil)
        }
        let renewed =
            try credential == .token
            ? answer["token"]?.string : answer.cookie?.split(separator: "=").last.map(String.init)
        let session = Request(.get, "/counter", headers: credential.headers(try #require(renewed)))
        #expect(try await service.send(session)["rendered"] == [:])
    }

    @Test(arguments: [(Credential.cookie, false), (.token, false), (.token, true)])
    func `a request that waits in a session that its client ends, or that is evicted, gets 401`(
        credential: Credential,
        isEvicted: Bool
    ) async throws {
        let service = service { $0.sessions.maximum = 1 }
        let headers = credential.headers(try await service.newToken())
        let login = Task.immediate { await service.send(attempt(headers, password: "joker")) }
        await gate.arrivals.reaches(1)
        let end = Task.immediate {
            await service.send(isEvicted ? Request(.post, "/session") : Request(.delete, "/session", headers: headers))
        }
        let waiting = (1...3).map { _ in
            Task.immediate { await service.send(Request(.post, "/counter", headers: headers)) }
        }
        gate.open()
        #expect(await end.value.status == (isEvicted ? 201 : 204))
        _ = await login.value
        for task in waiting { #expect(await task.value.status == 401) }
    }

    // MARK: After the login

    @Test(arguments: Credential.allCases)
    func `for a minute, a replaced id gets 401 without a cookie`(credential: Credential) async throws {
        let service = service()
        gate.open()
        let headers = credential.headers(try await service.newToken())
        #expect(await service.send(attempt(headers)).status == 200)
        // Setting the clock does not change the minute.
        clock.set(by: .seconds(-3600))
        clock.advance(by: .milliseconds(59_999))
        for request in [Request(.post, "/counter", headers: headers), Request(.get, "/counter", headers: headers)] {
            let rejected = await service.send(request)
            #expect(rejected.status == 401)
            #expect(rejected.header("Set-Cookie") == nil)
        }
        clock.advance(by: .milliseconds(1))
        let later = await service.send(Request(.post, "/counter", headers: headers))
        #expect(later.status == (credential == .cookie ? 200 : 401))
    }

    // MARK: A login whose response was lost

    @Test(arguments: Credential.allCases)
    func `the same key and body get the login's response again with the old token`(
        credential: Credential
    ) async throws {
        let service = service()
        gate.open()
        let headers = credential.headers(try await service.newToken())
        let first = await service.send(attempt(headers, key: "a"))
        let again = await service.send(attempt(headers, key: "a"))
        #expect(again.status == 200)
        #expect(again.header("Idempotency-Replayed") == "true")
        #expect(again.text == first.text)
        #expect(again.header("Set-Cookie") == first.header("Set-Cookie"))
        #expect(gate.arrivals.count == 1)
        let other = await service.send(attempt(headers, key: "b"))
        #expect(other.status == 401)
        let reused = await service.send(attempt(headers, key: "a", password: "Bruce"))
        try expect(reused, 422, "idempotencyKeyReused")
        #expect(gate.arrivals.count == 1)
        clock.advance(by: .seconds(60))
        #expect(await service.send(attempt(headers, key: "a")).header("Idempotency-Replayed") == nil)
    }

    @Test(arguments: Credential.allCases)
    func `the login of a session that has ended is not answered again, because its response has the token`(
        credential: Credential
    ) async throws {
        let service = service()
        gate.open()
        let headers = credential.headers(try await service.newToken())
        let first = await service.send(attempt(headers, key: "a"))
        let token = try first["token"]?.string ?? first.cookie?.split(separator: "=").last.map(String.init)
        let current = credential.headers(try #require(token))
        #expect(await service.send(attempt(headers, key: "a")).header("Idempotency-Replayed") == "true")
        #expect(await service.send(Request(.delete, "/session", headers: current)).status == 204)
        let again = await service.send(attempt(headers, key: "a"))
        try expect(again, 401, "notAuthenticated")
        #expect(again.header("Set-Cookie") == nil)
        #expect(gate.arrivals.count == 1)
    }

    @Test func `a repeated login that waits for the first gets its response`() async throws {
        let service = service()
        let headers = Credential.token.headers(try await service.newToken())
        let first = Task.immediate { await service.send(attempt(headers, key: "a")) }
        await gate.arrivals.reaches(1)
        let again = Task.immediate { await service.send(attempt(headers, key: "a")) }
        gate.open()
        #expect(await again.value.text == first.value.text)
        #expect(gate.arrivals.count == 1)
    }

    // MARK: A password change during a login

    @Test(arguments: [(true, "batman", 401), (false, "batman", 401), (true, "robin", 200)])
    func `a login during which a user's sessions are ended survives only if it is another user's`(
        isNewSession: Bool,
        ended: String,
        status: Int
    ) async throws {
        let service = service()
        let headers: Headers = isNewSession ? [:] : Credential.token.headers(try await service.newToken())
        let login = Task.immediate { await service.send(attempt(headers)) }
        await gate.arrivals.reaches(1)
        try await service.endSessions(ofUser: "id-of-\(ended)")
        gate.open()
        let answer = await login.value
        #expect(answer.status == status)
        #expect((answer.header("Set-Cookie") != nil) == (status == 200))
        #expect(service.liveSessions.count == (status == 200 ? 1 : 0))
    }

    // MARK: Devices

    @Test func `a login gives a browser a device cookie, which it keeps until the next login`() async throws {
        let tokens = LockedValue<[String?]>([])
        let service = service { configuration in
            configuration.isPublicAddressSecure = true
            configuration.issueDeviceToken = { user, client in
                tokens.change { $0.append(client.deviceToken) }
                return "device-of-\(user.username)"
            }
        }
        gate.open()
        let answer = await service.send(attempt([:]))
        let cookie = "__Host-device=device-of-batman; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000"
        #expect(answer.values("Set-Cookie").contains(cookie))
        #expect(try answer["deviceToken"] == nil)
        let session = try #require(
            answer.headers.first { $0.value.hasPrefix("__Host-session=") }?.value.prefix { $0 != ";" }
        )
        let logout = await service.send(Request(.delete, "/session", headers: ["Cookie": String(session)]))
        #expect(logout.headers.count { $0.value.contains("device") } == 0)
        _ = await service.send(attempt(["Cookie": "a=b; __Host-device=device-of-batman"]))
        #expect(tokens.value == [nil, "device-of-batman"])
    }

    @Test func `a login gives a bearer client a device token, which it sends in a header`() async throws {
        let tokens = LockedValue<[String?]>([])
        let service = service { configuration in
            configuration.issueDeviceToken = { _, client in
                tokens.change { $0.append(client.deviceToken) }
                return "secret"
            }
        }
        gate.open()
        let bearer = "Bearer \(try await service.newToken())"
        let answer = await service.send(attempt(["Authorization": bearer, "Device-Token": "old"]))
        #expect(try answer["deviceToken"] == "secret")
        #expect(try answer["token"] != nil)
        #expect(answer.header("Set-Cookie") == nil)
        #expect(tokens.value == ["old"])
    }

    @Test func `a login succeeds even if no device token can be issued`() async throws {
        let service = service { $0.issueDeviceToken = { _, _ in throw Outage() } }
        gate.open()
        let answer = await service.send(attempt([:]))
        #expect(answer.status == 200)
        #expect(answer.headers.count { $0.name == "Set-Cookie" } == 1)
    }
}
