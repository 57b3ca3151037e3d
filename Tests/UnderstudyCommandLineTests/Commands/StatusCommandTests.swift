import HTTPTestClient
import Testing

@testable import UnderstudyCommandLine

/// `understudy status`.
@Suite(.timeLimit(.minutes(5))) struct StatusCommandTests {
    private let exposition = """
        # HELP understudy_sessions Current sessions.
        # TYPE understudy_sessions gauge
        understudy_sessions 12
        understudy_session_bytes 2621440
        understudy_build_info{version="1.2.0",understudy="0.1.0",commit="abc1234"} 1
        process_start_time_seconds 1000
        process_resident_memory_bytes 62914560
        understudy_connections 7
        understudy_waiting_requests 2
        understudy_requests_total{page="login",event="loginButtonPressed",status="200"} 90
        understudy_requests_total{page="",event="",status="503"} 10
        understudy_request_duration_seconds_bucket{page="login",event="loginButtonPressed",le="+Inf"} 90
        understudy_request_duration_seconds_sum{page="login",event="loginButtonPressed"} 9
        understudy_request_duration_seconds_count{page="login",event="loginButtonPressed"} 90
        understudy_request_duration_seconds_sum{page="",event=""} 0.01
        understudy_request_duration_seconds_count{page="",event=""} 10
        understudy_problems_total{code="unknownPage"} 3
        understudy_problems_total{code="unavailable"} 10
        understudy_logins_total{factor="password"} 4
        understudy_logins_total{factor="passkey"} 2
        understudy_login_failures_total{reason="throttled"} 1
        understudy_certificate_not_after_timestamp_seconds 878800

        """

    @Test func `the status says why a server is not ready, and lists the slowest pages and the problems`() throws {
        let body = #"{"code":"unavailable","detail":"The database cannot be reached or written."}"#
        let samples = try #require(MetricSamples(exposition))
        let status = Overview(health: (503, body), samples: samples, now: 1000 + 90_061)
        #expect(
            status.lines == [
                "Health       not ready: The database cannot be reached or written.",
                "Version      1.2.0, commit abc1234", "Running      for 1 d 1 h", "Sessions     12, 2.5 MiB",
                "Connections  7, 2 requests wait for commands", "Requests     100, 0.0 per second, 10 with 5xx",
                "Logins       6, 1 failed", "Memory       60.0 MiB", "Certificate  expires in 9 d 2 h", "",
                "PAGE                    EVENT                       REQUESTS  MEAN",
                "login                   loginButtonPressed          90        100.0 ms",
                "(others)                                            10        1.0 ms", "",
                "PROBLEM                                             REQUESTS",
                "unavailable                                         10",
                "unknownPage                                         3",
            ]
        )
    }

    @Test func `a hint of a server that is ready is printed`() throws {
        let samples = try #require(MetricSamples(exposition))
        let body = "ok\nmail: 3 waiting, the oldest for 11 minutes\n"
        let status = Overview(health: (200, body), samples: samples, now: 2000)
        #expect(status.lines[0] == "Health       ready; mail: 3 waiting, the oldest for 11 minutes")
    }

    @Test func `the last errors in the log are at the end`() throws {
        let samples = try #require(MetricSamples("understudy_sessions 1\n"))
        let status = Overview(health: (200, "ok\n"), samples: samples, errors: ["first", "second"], now: 2000)
        #expect(status.lines.suffix(4) == ["", "LAST ERRORS", "first", "second"])
    }

    @Test(arguments: ["", "understudy_sessions", "understudy_sessions x\n", "node_load1 0.5\n", "<html></html>\n"])
    func `a text that this program has not written is rejected`(text: String) {
        #expect(MetricSamples(text) == nil)
    }

    @Test func `a running demonstration counts logins, and its status has exit status 0`() async throws {
        try await withServer("--demo", "--admin-port", "0") { program, port async throws in
            let line = try #require(await program.errors.next(containing: "Listening for operators"))
            let admin = try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)).1
            #expect(try await HTTPTestClient.request("GET", "/products", port: port).status == 200)
            let login = try await HTTPTestClient.request(
                "POST",
                "/login",
                form: "username=joker&password=wrong-password",
                port: port
            )
            #expect(login.status == 200)
            let result = try await Program.run("status", "--admin-port", String(admin))
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.first == "Health       ready")
            #expect(result.output.contains { $0.hasPrefix("products ") })
            #expect(result.output.contains("Logins       0, 1 failed"))
            let wrong = try await Program.run("status", "--admin-port", "\(port)")
            #expect(wrong.status == 1)
            #expect(wrong.errors.first?.contains("it is not the port for operators") == true)
        }
        let off = try await Program.run("status", environment: ["UNDERSTUDY_ADMIN_PORT": "off"])
        #expect(off.errors.first?.contains("The port for operators is off") == true)
    }
}
