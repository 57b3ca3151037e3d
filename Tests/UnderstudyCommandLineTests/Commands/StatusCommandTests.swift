@testable import UnderstudyCommandLine

/// `understudy status`.
@Suite(.fiveMinutes) struct StatusCommandTests {
    let samples: [MetricSample] = [
        .gauge("understudy_sessions", 12), .gauge("understudy_session_bytes", 2_621_440),
        .gauge("understudy_build_info", 1, ("version", "1.2.0"), ("commit", "abc1234")),
        .gauge("process_start_time_seconds", 1000), .gauge("process_resident_memory_bytes", 62_914_560),
        .gauge("understudy_connections", 7), .gauge("understudy_waiting_requests", 2),
        .counter("understudy_requests_total", 90, ("page", "login"), ("status", "200")),
        .counter("understudy_requests_total", 10, ("page", ""), ("status", "503")),
        .gauge("understudy_request_duration_seconds_sum", 9, ("page", "login"), ("event", "loginButtonPressed")),
        .gauge("understudy_request_duration_seconds_count", 90, ("page", "login"), ("event", "loginButtonPressed")),
        .gauge("understudy_request_duration_seconds_sum", 0.01, ("page", ""), ("event", "")),
        .gauge("understudy_request_duration_seconds_count", 10, ("page", ""), ("event", "")),
        .counter("understudy_problems_total", 3, ("code", "unknownPage")),
        .counter("understudy_problems_total", 10, ("code", "unavailable")),
        .counter("understudy_logins_total", 4, ("factor", "password")),
        .counter("understudy_logins_total", 2, ("factor", "passkey")),
        .counter("understudy_login_failures_total", 1, ("reason", "throttled")),
        .gauge("understudy_certificate_not_after_timestamp_seconds", 878_800),
    ]

    @Test func `the status says why a server is not ready, and lists the slowest pages and the problems`() {
        let body = #"{"code":"unavailable","detail":"The database cannot be reached or written."}"#
        let status = Overview(facts: .init(health: (503, body), samples: samples, now: 1000 + 90_061))
        #expect(
            status.lines == [
                "Health       not ready: The database cannot be reached or written.",
                "Version      1.2.0, commit abc1234", "Running      for 1 d 1 h", "Sessions     12, 2.5 MiB",
                "Connections  7, 2 requests wait for commands", "Requests     100, 0.0 per second, 10 with 5xx",
                "Logins       6, 1 failed", "Memory       60.0 MiB", "Certificate  expires in 9 d 2 h", "",
                "LAST FIVE MINUTES       EVENT                       REQUESTS  MEAN",
                "login                   loginButtonPressed          90        100.0 ms",
                "(others)                                            10        1.0 ms", "",
                "PROBLEM                                             REQUESTS",
                "unavailable                                         10",
                "unknownPage                                         3",
            ]
        )
    }

    @Test func `a hint of a server that is ready is printed, and the last errors in its log are at the end`() {
        let body = "ok\nmail: 3 waiting, the oldest for 11 minutes\n"
        let status = Overview(facts: .init(health: (200, body), samples: [], now: 2000), errors: ["first", "second"])
        #expect(status.lines[0] == "Health       ready; mail: 3 waiting, the oldest for 11 minutes")
        #expect(status.lines.suffix(4) == ["", "LAST ERRORS", "first", "second"])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n\r\nHealth       ready\n", "HTTP/1.1 200 OK\r\nX-Request-ID: a\r\n\r\n<html></html>",
        "HTTP/1.0 404 Not Found\r\n\r\n",
    ])
    func `another program is not the port for operators`(response: String) async throws {
        let other = try OtherServer(responding: response)
        let error = "127.0.0.1 port \(other.port): it is not the port for operators of Understudy"
        try await understudy("status --admin-port \(other.port)").expect(error: error, output: [])
    }

    @Test func `the size of the database and its last backup are facts`() {
        let size: [MetricSample] = [
            .gauge("understudy_database_bytes", 3_145_728), .gauge("understudy_audit_records", 7),
        ]
        let backup = MetricSample.gauge("understudy_last_backup_timestamp_seconds", 1000)
        func line(_ samples: [MetricSample]) -> String? {
            Overview(facts: .init(health: (200, "ok\n"), samples: samples, now: 8200)).lines
                .first { $0.hasPrefix("Database ") }
        }
        #expect(line([]) == nil)
        #expect(line(size) == "Database     3.0 MiB, 7 audit records")
        #expect(line(size + [backup]) == "Database     3.0 MiB, 7 audit records, last backup 2 h 0 min ago")
        let none = MetricSample.gauge("understudy_last_backup_timestamp_seconds", 0)
        #expect(line(size + [none]) == "Database     3.0 MiB, 7 audit records, no backup")
    }

    @Test func `the attackers are addresses and accounts with failed logins`() async throws {
        let workplace = Workplace()
        try await workplace.withOperatedServer(["--limit-loopback"]) { ports, _ async throws in
            for (name, count) in [("bruce@example.com", 3), ("nobody", 2)] {
                for _ in 0..<count {
                    _ = try await post("/login", "username=\(name)&password=wrong-password", ports.users)
                }
            }
            let result = try await workplace.run("status --attackers --admin-port \(ports.operators)")
            result.expect(status: 0, errors: [])
            #expect(result.output.count == 6, "\(result.output)")
            #expect(result.output[1].split(separator: " ") == ["127.0.0.1", "5", "of", "30"])
            #expect(result.output[4].split(separator: " ").prefix(3) == ["bruce@example.com", "3", "0"])
            #expect(result.output[5].contains(#/\(stranger:\d+\) +2 +0 /#))
        }
    }

    @Test func `a running demonstration counts logins, and its status has exit status 0`() async throws {
        try await withServer("--demo", "--admin-port", "0") { program, port async throws in
            let admin = try await program.operatorsPort
            try await get("/products", port).expect()
            try await post("/login", "username=joker&password=wrong-password", port).expect()
            let result = try await understudy("status --admin-port \(admin)").expect(status: 0)
            #expect(result.output.first == "Health       ready")
            #expect(result.output.contains { $0.hasPrefix("products ") })
            #expect(result.output.contains("Logins       0, 1 failed"))
        }
        let off = try await understudy("status", environment: ["UNDERSTUDY_ADMIN_PORT": "off"])
        #expect(off.errors.first?.contains("The port for operators is off") == true)
    }
}
