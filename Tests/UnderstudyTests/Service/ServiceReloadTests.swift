/// Other settings for a service that serves.
@Suite(.fiveMinutes) struct ServiceReloadTests {
    let clock = ManualClock()

    func configuration(_ change: (inout ServiceConfiguration) throws -> Void = { _ in }) throws
        -> ServiceConfiguration
    {
        var configuration = ServiceConfiguration()
        configuration.clock = clock
        try change(&configuration)
        return configuration
    }

    func service(
        _ pages: [Page] = Page.demo(),
        _ change: (inout ServiceConfiguration) throws -> Void = { _ in }
    ) throws -> UnderstudyService {
        UnderstudyService(pages: pages, configuration: try configuration(change))
    }

    static func allowApp(_ configuration: inout ServiceConfiguration) throws {
        configuration.allowedOrigins = try AllowedOrigins("https://app.example")
    }

    @Test func `a request that is in progress keeps the settings with which it began`() async throws {
        let repository = SuspendedRepository()
        let service = try service(Page.bundled(repository: repository), Self.allowApp)
        try await withServiceGroup(service) { server, address, _ async throws in
            let request = Request(.post, "/products", headers: ["Origin": "https://app.example"])
            let line = SocketSender(port: address.port)
            async let accepted = line.send(request)
            await repository.waitUntilAsked()
            await server.reload(service.reloaded(with: try configuration()), ServerConfiguration())
            try await expect(SocketSender(port: address.port).send(request), 403)
            await repository.answer(with: .success([.car]))
            try await expect(accepted, 200, has: ["Access-Control-Allow-Origin": "https://app.example"])
            try await expect(line.send(request), 403)
        }
    }

    @Test func `a limit that stays or increases counts earlier requests`() async throws {
        func limited(_ count: Int) throws -> ServiceConfiguration {
            try configuration { ($0.requests, $0.limitsLoopback) = (Rate(count, per: .seconds(3600)), true) }
        }
        var service = try service()
        let request = Request(.get, "/login", clientAddress: IPAddress("127.0.0.1"))
        func allowed() async -> Int {
            var count = 0
            while await service.send(request).status == 200 { count += 1 }
            return count
        }
        expect(await service.send(request), 200)
        service = service.reloaded(with: try limited(2))
        #expect(await allowed() == 2)
        service = service.reloaded(with: try limited(2))
        #expect(await allowed() == 0)
        service = service.reloaded(with: try limited(5))
        #expect(await allowed() == 3)
    }

    @Test func `everything that a reload does not list stays as it is`() async throws {
        let other = try configuration {
            $0.pathPrefix = "/other"
            $0.isPublicAddressSecure = true
            $0.title = "Other"
        }
        let client = TestClient(try service().reloaded(with: other))
        #expect(try await client.get("/")["title"] == "Understudy")
        try await client.logIn("joker")
        #expect(client.cookie?.hasPrefix("session=") == true)
    }

    @Test func `lower limits end sessions that exceed them`() async throws {
        var service = try service()
        let clients = (0..<3).map { _ in TestClient(service) }
        for client in clients { try await client.logIn() }
        service = service.reloaded(with: try configuration { $0.sessions.maximum = 2 })
        var statuses: [Int] = []
        for client in clients { statuses.append(try await client.get("/session").status) }
        #expect(statuses == [401, 200, 200])
        service = service.reloaded(with: try configuration { $0.sessions.idle = .seconds(1) })
        clock.advance(by: .seconds(1))
        try await expect(clients[2].get("/session"), 401)
    }

    @Test func `a configuration that arrives before the server listens applies`() async throws {
        let service = try service()
        let reloaded = service.reloaded(with: try configuration(Self.allowApp))
        var smaller = ServerConfiguration()
        smaller.maximumBodySize = 3
        let prepare: (inout UnderstudyServer) async -> Void = { await $0.reload(reloaded, smaller) }
        try await withServiceGroup(service, prepare: prepare) { _, address, _ async throws in
            let request = Request.json("/products", "1234", ["Origin": "https://app.example"])
            let answer = try await SocketSender(port: address.port).send(request)
            expect(answer, 413, has: ["Access-Control-Allow-Origin": "https://app.example"])
        }
    }

    @Test func `a replaced service is released`() async throws {
        let service = try service()
        try await withServiceGroup(service) { server, address, _ async throws in
            let line = SocketSender(port: address.port)
            var reloaded = service.reloaded(with: try configuration())
            weak let former = reloaded
            await server.reload(reloaded, ServerConfiguration())
            try await expect(line.get("/login"), 200)
            reloaded = reloaded.reloaded(with: try configuration())
            await server.reload(reloaded, ServerConfiguration())
            #expect(try await eventually { former == nil })
            try await expect(line.get("/login"), 200)
        }
    }
}
