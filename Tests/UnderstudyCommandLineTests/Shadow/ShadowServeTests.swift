import Foundation
import HTTPTestClient
import Testing

/// Servers that run their events in another version, which is this program, or a script.
@Suite(.timeLimit(.minutes(5))) struct ShadowServeTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// Runs a server whose other version is a program, which receives all events.
    private func withShadow(
        _ path: String,
        _ arguments: String...,
        body: (Program, UInt16, _ operators: UInt16) async throws -> Void
    ) async throws {
        let options = ["serve", "--port", "0", "--admin-port", "0", "--requests", "off", "--shadow", path]
        let program = try Program(
            options + ["--shadow-sample", "100%"] + arguments,
            environment: workplace.environment.merging(["PGPASSWORD": "joker"]) { $1 }
        )
        defer { program.kill() }
        let operators = await program.errors.next(containing: "Listening for operators")
        let line = await program.output.next(containing: "Listening on ")
        try await body(program, try #require(Self.port(line)), try #require(Self.port(operators)))
    }

    private static func port(_ line: String?) -> UInt16? {
        line?.split(separator: ":").last.flatMap { UInt16($0.prefix { $0.isNumber }) }
    }

    /// The number of events with a result.
    private func count(_ result: String, _ operators: UInt16) async throws -> Int {
        let prefix = "understudy_shadow_events_total{result=\"\(result)\"} "
        let text = try await HTTPTestClient.request("GET", "/metrics", port: operators).text
        let line = text.split(separator: "\n").first { $0.hasPrefix(prefix) }
        return line.flatMap { Int($0.dropFirst(prefix.count)) } ?? -1
    }

    private func register(_ id: String, _ port: UInt16) async throws {
        let response = try await HTTPTestClient.request(
            "POST",
            "/register",
            headers: ["Host": "localhost", "Content-Type": "application/json"],
            body: Array(#"{"userID":"\#(id)"}"#.utf8),
            port: port
        )
        #expect(response.status == 200)
        #expect(response.text.contains(#""key":"userID""#))
    }

    /// Sends events until one of them has the result.
    private func send(_ id: String, _ port: UInt16, until result: String, _ operators: UInt16) async throws {
        let isFound = try await eventually {
            try await register(id, port)
            return try await count(result, operators) > 0
        }
        #expect(isFound)
    }

    @Test(arguments: ["memory", "database"])
    func `events match in the version that has handled them`(sessions: String) async throws {
        let path = Program.executable.path
        try await withShadow(path, "--sessions", sessions, "--shadow-deadline", "60s") { program, port, operators in
            try await send("012345 678912", port, until: "matched", operators)
            let matched = try await count("matched", operators)
            let form = "name=Lisa&email=lisa@example.com&password=correct+horse+battery+staple"
            let response = try await HTTPTestClient.request(
                "POST",
                "/signup",
                headers: ["Host": "localhost", "Content-Type": "application/x-www-form-urlencoded"],
                body: Array(form.utf8),
                port: port
            )
            #expect(response.status == 200)
            try await register("1", port)
            #expect(try await eventually { try await count("matched", operators) >= matched + 2 })
            for result in ["mismatched", "diverged", "missing", "timeout", "failed"] {
                #expect(try await count(result, operators) == 0, "\(result)")
            }
            program.send(SIGTERM)
            #expect(await program.result().status == 0)
            #expect(!program.errors.all.contains { $0.contains("other version") })
        }
    }

    @Test func `a changed text is a mismatch, and a line in the log that contains neither text nor values`()
        async throws
    {
        let script = "'\(Program.executable.path)' \"$@\" | sed -u 's/exactly twelve/12/g'"
        let other = try await workplace.program("other", script)
        try await withShadow(other, "--shadow-deadline", "60s") { program, port, operators in
            try await send("joker1", port, until: "mismatched", operators)
            try await send("joker2", port, until: "mismatched", operators)
            let line = await program.errors.next(containing: "The other version responds in another way")
            let cause = "command: render errorMessage registration.invalidUserID, other value"
            #expect(line?.contains(cause) == true, "\(line ?? "")")
            #expect(line?.contains("page=register") == true)
            #expect(line?.contains("event=textFieldDidEndEditing") == true)
            let text = program.errors.all.joined()
            for secret in ["joker", "twelve", "12 digits"] { #expect(!text.contains(secret)) }
            #expect(program.errors.all.count { $0.contains("responds in another way") } == 1)
            let metrics = try await HTTPTestClient.request("GET", "/metrics", port: operators).text
            let labels = #"{page="register",event="textFieldDidEndEditing",group="1"}"#
            #expect(metrics.contains("understudy_shadow_differences_total\(labels) "))
        }
    }

    @Test func `a version that hangs is a timeout, is started again, and delays no response`() async throws {
        let starts = workplace.folder.appendingPathComponent("starts").path
        let script = "echo start >>'\(starts)'; read -r line; echo '{}'; sleep 1000"
        let other = try await workplace.program("other", script)
        try await withShadow(other, "--shadow-deadline", "1s") { program, port, operators in
            // Each of these gets its response, although the other version never responds.
            try await send("4711", port, until: "timeout", operators)
            #expect(await program.errors.next(containing: "The other version is started again after a pause") != nil)
            #expect(try await eventually { try workplace.text("starts").split(separator: "\n").count >= 2 })
            try await register("4711", port)
            #expect(try await count("failed", operators) == 0)
            program.send(SIGTERM)
            #expect(await program.result().status == 0)
        }
    }

    @Test func `the other version runs at the lowest priority, and gets no secrets of the server`() async throws {
        let file = workplace.folder.appendingPathComponent("report").path
        let script = "echo \"$(nice) $(env | grep -c PASSWORD)\" >'\(file)'; exit 1"
        let other = try await workplace.program("other", script)
        try await withShadow(other) { program, _, _ in
            let line = await program.errors.next(containing: "The other version is started again after a pause")
            #expect(line?.contains("reason='it ended with status 1'") == true)
        }
        #expect(try workplace.text("report") == "19 0\n")
    }

    @Test func `a server whose other version is not a program does not start`() async throws {
        let result = try await workplace.run("serve", "--port", "0", "--shadow", "/no/such/program")
        #expect(result.status == 66)
        #expect(result.errors.first?.contains("'shadow' must be a program: '/no/such/program'") == true)
    }

    @Test(arguments: [("--shadow-memory", "15MiB"), ("--shadow-deadline", "0s"), ("--shadow-sample", "101%")])
    func `a value out of its range is an error`(option: String, value: String) async throws {
        let result = try await workplace.run(
            "serve",
            "--port",
            "0",
            "--shadow",
            Program.executable.path,
            option,
            value
        )
        #expect(result.status == 64)
        #expect(result.errors.first?.contains("'\(value)'") == true)
    }
}
