import ServiceLifecycle

@testable import Understudy

struct UnderstudyServerTests {
    let log = LogCapture()

    // MARK: HEAD

    @Test(arguments: [
        "/login", "/email", "/livez", "/readyz", "/openapi.yaml", "/openapi.json", "/problems/internal", "/session",
        "/nowhere", "/session/history?since=x",
    ])
    func `HEAD has the headers of GET and no body`(target: String) async throws {
        try await withServer(UnderstudyService(pages: Page.demo())) { port in
            let connection = try await HTTPTestClient(port: port)
            let head = Request(.head, target, headers: ["X-Request-ID": "a"])
            let get = Request(.get, target, headers: ["X-Request-ID": "a", "Connection": "close"])
            // In one write, so that a body after HEAD would be read as the second response.
            try await connection.send(head.bytes + get.bytes)
            let headed = try await connection.receive(isHead: true)
            let got = try await connection.receive()
            #expect(headed.status == got.status)
            for name in ["Content-Type", "Content-Length", "Cache-Control", "X-Content-Type-Options", "X-Request-ID"] {
                #expect(headed.header(name) == got.header(name), "\(name)")
                #expect(headed.header(name) != nil || got.body.isEmpty, "\(name)")
            }
            #expect(try await connection.receiveToEnd().isEmpty)
        }
    }

    // MARK: Deadlines

    @Test func `an event that takes too long gets 504, and its commands come later`() async throws {
        let repository = SuspendedRepository()
        let service = UnderstudyService(pages: Page.bundled(repository: repository))
        try await withServer(service, configure: { $0.responseTimeout = .milliseconds(50) }) { port in
            // In process there is no deadline: a request waits until the event has ended.
            let inProcess = TestClient(service)
            try await inProcess.post("/email", "email=a")
            let client = TestClient(SocketSender(port: port), cookie: inProcess.cookie)
            let late = try await client.post("/products", "{}", key: "a")
            try expect(late, 504, "answerTimeout", has: ["Connection": "close"])
            await repository.answerNext(with: .success([.car]))
            let again = try await expect(inProcess.post("/products", "{}", key: "a"), 200)
            #expect(again.isReplayed)
            #expect(try again["sequence"] == 5)
            #expect(await repository.count == 1)
        }
    }

    // MARK: In a service group

    @Test func `a graceful shutdown answers the requests that were accepted`() async throws {
        let repository = SuspendedRepository()
        let service = UnderstudyService(pages: Page.bundled(repository: repository), logger: log.logger)
        var port: UInt16 = 0
        try await withServiceGroup(service, logger: log.logger) { _, address, group async throws in
            port = address.port
            #expect(address.host == "127.0.0.1")
            let line = SocketSender(port: port)
            try await expect(line.get("/livez"), 200)
            async let accepted = line.send(Request(.post, "/products"))
            await repository.waitUntilAsked()
            await group.triggerGracefulShutdown()
            await log.wait(for: "Stopping")
            await repository.answer(with: .success([.car]))
            #expect(try await accepted["sequence"] == 4)
        }
        #expect(service.isDraining)
        await #expect(throws: TestClientError.refused) { try await HTTPTestClient(port: port) }
        #expect(log.lines.map(\.message) == ["Listening", "Stopping", "Stopped"])
        #expect(log.lines.first?.level == .debug)
    }

    @Test func `before the drain, a server serves, and closes each connection`() async throws {
        let (delay, end) = AsyncStream<Never>.makeStream()
        let service = UnderstudyService(pages: Page.demo(), logger: log.logger)
        let prepare: (inout UnderstudyServer) -> Void = { $0.drainDelay = { for await _ in delay {} } }
        try await withServiceGroup(service, logger: log.logger, prepare: prepare) { _, address, group async throws in
            let client = try await HTTPTestClient(port: address.port)
            #expect(try await expect(client.request("GET", "/readyz"), 200).header("Connection") != "close")
            await group.triggerGracefulShutdown()
            await log.wait(for: "Stopping")
            // The first connection has been open since before.
            for client in [client, try await HTTPTestClient(port: address.port)] {
                try await expect(client.request("GET", "/email"), 200, has: ["Connection": "close"])
                #expect(try await client.isClosed)
            }
            let unready = try await expect(HTTPTestClient.request("GET", "/readyz", port: address.port), 503)
            #expect(unready.text.contains("The server is stopping."))
            #expect(!service.isDraining)
            end.finish()
        }
        #expect(service.isDraining)
    }

    @Test func `without a start handler, the server logs the URL at which it listens`() async throws {
        let line = try await firstLine(of: UnderstudyService(pages: []) { $0.pathPrefix = "/shop" }) { $0.port = 0 }
        #expect(line.level == .info)
        #expect(line["url"]?.wholeMatch(of: /http:\/\/127\.0\.0\.1:[1-9][0-9]*\/shop/) != nil)
        #expect(line.metadata.count == 1)
    }

    @Test(.enabled(if: TestCertificate.canBeMade))
    func `the logged URL of a server with TLS starts with https`() async throws {
        let certificate = try await TestCertificate()
        let line = try await firstLine {
            $0.port = 0
            $0.credentials = try TLSCredentials(certificate: certificate.certificate, key: certificate.key)
        }
        #expect(line["url"]?.hasPrefix("https://127.0.0.1:") == true)
    }

    @Test func `the path of a Unix domain socket is logged`() async throws {
        let path = "/tmp/\(UInt64.random(in: .min ... .max)).sock"
        let line = try await firstLine { $0.address = .unixSocket(path: path, mode: 0o600) }
        #expect(line.level == .info)
        #expect(line.metadata == ["path": path])
    }

    /// The first line that a server without a start handler logs.
    func firstLine(
        of service: UnderstudyService = UnderstudyService(pages: []),
        configure: (inout ServerConfiguration) throws -> Void
    ) async throws -> LogCapture.Line {
        var configuration = ServerConfiguration()
        configuration.loops = 1
        try configure(&configuration)
        let server = UnderstudyServer(service: service, configuration: configuration, logger: log.logger)
        let running = Task { try await server.run() }
        await log.wait(for: "Listening")
        running.cancel()
        try await running.value
        return try #require(log.lines.first)
    }

    @Test func `the health check fails while an event loop is blocked`() async throws {
        let barrier = Barrier()
        let service = UnderstudyService(pages: [Page("blocking") { _ in ActingController { _ in barrier.block() } }])
        try await withServiceGroup(
            service,
            configure: { $0.loops = 4 },
            prepare: { $0.stallLimit = .milliseconds(50) }
        ) { _, address, _ async throws in
            async let blocked = SocketSender(port: address.port).send(Request(.post, "/blocking"))
            await barrier.arrivals.reaches(1)
            #expect(try await eventually { !service.isAlive })
            try await expect(service.get("/livez"), 503, "unavailable")
            barrier.lift()
            try await expect(blocked, 200)
            #expect(try await eventually { try await service.get("/livez").status == 200 })
        }
    }

    @Test func `sessions stay saved if the server cannot listen`() async throws {
        let service = service(savingIn: FaultySessions())
        let client = TestClient(service)
        try await client.post("/counter")
        try await service.saveSessions()
        try await withServer(UnderstudyService(pages: [])) { port async throws in
            var configuration = ServerConfiguration()
            configuration.port = port
            let server = UnderstudyServer(service: service, configuration: configuration, logger: LogCapture().logger)
            await #expect(throws: ServerError.addressInUse(host: "127.0.0.1", port: port)) { try await server.run() }
        }
        try await service.restoreSessions()
        #expect(try await client.post("/counter")["sequence"] == 4)
    }

    @Test func `a cancelled server stops, and saves its sessions`() async throws {
        let saved = FaultySessions()
        let (addresses, started) = AsyncStream<ServerAddress>.makeStream()
        var configuration = ServerConfiguration()
        configuration.port = 0
        let server = UnderstudyServer(service: service(savingIn: saved), configuration: configuration) {
            started.yield($0)
        }
        let running = Task { try await server.run() }
        let address = try #require(await addresses.first { _ in true })
        try await count(address)
        running.cancel()
        try await running.value
        await #expect(throws: TestClientError.refused) { try await HTTPTestClient(port: address.port) }
        #expect(try await saved.take(limit: 10).count == 1)
    }

    func service(savingIn saved: any SessionStore) -> UnderstudyService {
        UnderstudyService(pages: [CountingController.page], logger: log.logger) { $0.sessionStore = saved }
    }

    /// Sends an event to the service from ``service(savingIn:)``.
    func count(_ address: ServerAddress) async throws {
        try await expect(SocketSender(port: address.port).send(Request(.post, "/counter")), 200)
    }

    @Test func `sessions are saved if the store is available again during the drain`() async throws {
        let sessions = FaultySessions()
        try await withServiceGroup(service(savingIn: sessions)) { _, address, _ async throws in
            try await count(address)
            sessions.failures = 3
        }
        #expect(sessions.failures == 0)
        #expect(try await sessions.take(limit: 10).count == 1)
    }

    @Test func `a server serves without saved sessions, and fails if it cannot save`() async throws {
        let sessions = FaultySessions()
        sessions.fails = true
        let service = service(savingIn: sessions)
        await #expect(throws: CollaboratorError.self) {
            try await withServiceGroup(service, logger: log.logger, configure: { $0.drainTimeout = .zero }) {
                _,
                address,
                _ async throws in
                try await count(address)
            }
        }
        let errors = log.lines.filter { $0.level == .error }
        #expect(errors.map(\.message) == ["The sessions cannot be restored", "The sessions cannot be saved"])
    }
}
