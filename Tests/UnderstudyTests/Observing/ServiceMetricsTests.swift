@testable import Understudy
@testable import UnderstudyPages

struct ServiceMetricsTests {
    let registry = PrometheusRegistry(help: UnderstudyService.metricDescriptions)

    func service(maximumSessions: Int = 100, clock: any WallClock = SystemClock()) -> UnderstudyService {
        UnderstudyService {
            $0.metrics = registry
            $0.sessions.maximum = maximumSessions
            $0.clock = clock
        }
    }

    /// The lines with this prefix whose value is not 0.
    func lines(_ prefix: String) -> [String] {
        registry.exposition().split(separator: "\n").filter { $0.hasPrefix(prefix) && !$0.hasSuffix(" 0") }
            .map(String.init)
    }

    @Test func `probes do not count, also while the service stops`() async throws {
        let service = service()
        let client = TestClient(service)
        try await expect(client.get("/readyz"), 200)
        service.startDraining()
        try await expect(client.get("/readyz"), 503)
        try await expect(client.get("/livez"), 200)
        #expect(lines("understudy_requests_total").isEmpty && lines("understudy_problems_total").isEmpty)
    }

    @Test func `requests are counted and timed by page, event and status`() async throws {
        let service = service()
        let client = TestClient(service)
        for _ in 0..<3 { try await client.post("/products") }
        try await client.post("/login")
        for path in ["/login", "/nowhere"] { try await client.get(path) }
        _ = service.reject(.headersTooLarge(limit: 1), of: Request(.get, "/"))
        func expect(_ metric: String, _ expected: [String]) {
            #expect(lines("understudy_\(metric){") == expected.map { "understudy_\(metric){\($0)" })
        }
        expect(
            "requests_total",
            [
                #"page="",event="",status="404"} 1"#, #"page="login",event="",status="200"} 1"#,
                #"page="login",event="loginButtonPressed",status="422"} 1"#,
                #"page="products",event="onStart",status="200"} 3"#,
            ]
        )
        expect("problems_total", ["headersTooLarge", "missingField", "unknownPage"].map { #"code="\#($0)"} 1"# })
        expect(
            "request_duration_seconds_count",
            [
                #"page="",event=""} 1"#, #"page="login",event=""} 1"#, #"page="login",event="loginButtonPressed"} 1"#,
                #"page="products",event="onStart"} 3"#,
            ]
        )
    }

    @Test func `sessions are counted as they start and end`() async throws {
        let clock = ManualClock()
        let service = service(maximumSessions: 3, clock: clock)
        for _ in 0..<4 { try await TestClient(service).post("/products") }
        let last = try await TestClient.withToken(service)
        service.metrics.sample()
        #expect(lines("understudy_sessions ") == ["understudy_sessions 3"])
        clock.advance(by: .seconds(3600))
        try await expect(last.get("/session"), 401)
        service.removeExpiredSessions()
        service.metrics.sample()
        #expect(
            lines("understudy_sessions") == [
                "understudy_sessions_created_total 5", "understudy_sessions_evicted_total 2",
                "understudy_sessions_expired_total 3",
            ]
        )
    }

    @Test func `the admin port serves all metrics with their descriptions`() async throws {
        let service = service()
        let admin = AdminResponder(service: service) { registry.exposition() }
        let answer = try await withRunningServer(service) { server async throws in
            service.metrics.measure { server.statistics }
            try await expect(SocketSender(port: server.address.port).get("/livez"), 200)
            return try await admin.get("/metrics")
        }
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.text.contains("\nunderstudy_connections_total 1\n"))
        #expect(answer.text.contains("\nunderstudy_loop_lag_seconds{loop=\"0\"} "))
        for name in answer.text.matches(of: /# TYPE (\S+)/).map({ String($0.1) }) {
            #expect(answer.text.contains("# HELP \(name) "), "\(name)")
        }
        #expect(answer.text.contains("\nunderstudy_ready 1\n"))
        try await expect(admin.get("/readyz"), 200)
        expect(await admin.respond(to: Request(.post, "/metrics")), 405)
        try await expect(admin.get("/login"), 404)
    }

    @Test func `a controller that blocks its event loop is logged and counted`() async {
        let capture = LogCapture()
        let service = UnderstudyService(logger: capture.logger) { $0.metrics = registry }
        var request = RequestDescription(Request(.post, "/login?canary", id: "a"))
        service.loopWasBlocked(by: request, for: .milliseconds(70))
        (request.page, request.event) = ("login", "loginButtonPressed")
        service.loopWasBlocked(by: request, for: .milliseconds(70))
        #expect(lines("understudy_loop_blocked") == ["understudy_loop_blocked_total 2"])
        #expect(capture.lines.map(\.level) == [.warning, .warning])
        #expect(
            capture.lines.map(\.metadata) == [
                ["request": "a", "path": "/login", "duration": "70.0"],
                ["request": "a", "page": "login", "event": "loginButtonPressed", "duration": "70.0"],
            ]
        )
    }

    @Test func `the thousandth scrape uses as much of the stack as the first`() {
        let metrics = ServiceMetrics(pages: [], factory: registry)
        let positions = LockedValue<[UInt]>([])
        metrics.beforeScrape { positions.append(stackPosition()) }
        for _ in 0..<1000 { metrics.sample() }
        #expect(Set(positions.value).count == 1)
    }
}
