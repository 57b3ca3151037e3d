import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServeCommandTests {
    private static let form = "Content-Type: application/x-www-form-urlencoded"

    // MARK: Starting

    @Test func `its help mentions every option`() async throws {
        let result = try await Program.run("serve", "--help")
        let text = result.output.joined(separator: "\n")
        for option in [
            "--host", "--port", "--loops", "--demo", "--session-idle", "--session-lifetime", "--max-sessions",
            "--max-body",
            "--drain", "--public-url", "--log-level", "--version", "--help", "UNDERSTUDY_SESSION_IDLE",
        ] {
            #expect(text.contains(option), "\(option)")
        }
    }

    @Test func `it says where it listens`() async throws {
        try await withServer { program, port in
            let place = "Accounts are kept in \(program.data.path)/understudy.sqlite"
            #expect(await program.output.next() == place)
            #expect(program.output.all == ["Listening on http://127.0.0.1:\(port)", place])
            let answer = try await get("/livez", port)
            #expect(answer.status == 200)
        }
    }

    @Test func `for the demonstration it says what to try`() async throws {
        try await withServer("--demo") { program, port in
            let line = await program.output.next()
            #expect(line == "Try: curl -d username=batman -d password=bruce localhost:\(port)/login")
            let answer = try await post("/login", "username=batman&password=bruce", port)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""name":"Home""#))
        }
    }

    @Test func `below a path it says so, and answers there`() async throws {
        try await withServer("--demo", "--path-prefix", "/understudy") { program, port in
            #expect(program.output.all.first == "Listening on http://127.0.0.1:\(port)/understudy")
            let line = await program.output.next(containing: "Try:")
            #expect(line == "Try: curl -d username=batman -d password=bruce localhost:\(port)/understudy/login")
            let answer = try await post("/understudy/login", "username=batman&password=bruce", port)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""name":"Home""#))
            let health = try await Program.run("healthcheck", "--port", "\(port)")
            #expect(health.status == 0)
        }
    }

    @Test func `without the demonstration nobody can log in`() async throws {
        try await withServer { _, port in
            let answer = try await post("/login", "username=batman&password=bruce", port)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("login.wrongCredentials"))
        }
    }

    @Test(arguments: ["0.0.0.0", "::"])
    func `whoever listens everywhere is told an address to try`(host: String) async throws {
        try await withServer("--demo", "--host", host) { program, port in
            let line = await program.output.next(containing: "Try:")
            #expect(line == "Try: curl -d username=batman -d password=bruce localhost:\(port)/login")
        }
    }

    @Test func `what would be understood is listed in the line of error`() async throws {
        let result = try await Program.run("serve", "--log-level", "loud")
        #expect(result.errors.first?.hasSuffix("trace, debug, info, notice, warning, error or critical.") == true)
    }

    @Test(arguments: [
        ["--port", "x"], ["--port", "65536"], ["--port", "-1"], ["--port"], ["--loops", "0"], ["--session-idle", "5x"],
        ["--session-lifetime", "1.5h"], ["--max-sessions", "many"], ["--max-body", "1GiB"], ["--drain", "soon"],
        ["--public-url", "example.com"], ["--path-prefix", "understudy/"], ["--log-level", "loud"], ["--demo=yes"],
    ])
    func `a bad value is one line of error that names the option`(arguments: [String]) async throws {
        let program = try Program(["serve"] + arguments)
        defer { program.kill() }
        let result = await program.result()
        #expect(result.status == 64)
        #expect(result.output == [])
        #expect(result.errors.count == 1)
        let option = try #require(arguments.first?.split(separator: "=").first)
        #expect(result.errors.first?.hasPrefix("error: ") == true)
        #expect(result.errors.first?.contains(option) == true)
    }

    @Test func `a port in use is one line of error that names it`() async throws {
        try await withServer { _, port in
            for loops in ["1", "2"] {
                let result = try await Program.run("serve", "--port", "\(port)", "--loops", loops)
                #expect(result.status == 1)
                #expect(result.output == [])
                #expect(result.errors == ["error: port \(port) on 127.0.0.1 is already in use"])
            }
            #expect(try await get("/livez", port).status == 200)
        }
    }

    @Test(arguments: [
        // An address for documentation (RFC 5737), which no machine has.
        ("192.0.2.1", "cannot listen on 192.0.2.1 port 0: Cannot assign requested address"),
        ("no such host", "cannot find the host 'no such host': Name or service not known"),
    ])
    func `an address where it cannot listen is one line of error`(host: String, error: String) async throws {
        let result = try await Program.run("serve", "--port", "0", "--host", host)
        #expect(result.status == 1)
        #expect(result.output == [])
        #expect(result.errors == ["error: \(error)"])
    }

    @Test func `it listens on IPv6 too`() async throws {
        let program = try Program(["serve", "--port", "0", "--host", "::1", "--demo"])
        defer { program.kill() }
        guard let line = await program.output.next() else {
            // A machine without IPv6.
            #expect(await program.result().errors.first?.contains("cannot listen on ::1 port 0") == true)
            return
        }
        #expect(line.hasPrefix("Listening on http://[::1]:"))
        let port = line.split(separator: ":").last.map { $0.prefix(while: \.isNumber) } ?? ""
        #expect(try await Program.run("healthcheck", "--host", "::1", "--port", String(port)).status == 0)
        #expect(await program.output.next()?.contains(" [::1]:") == true)
    }

    // MARK: What the options do

    @Test func `a body may be as large as it is told`() async throws {
        try await withServer("--max-body", "7") { _, port in
            for (body, status) in [("email=a", 200), ("email=ab", 413)] {
                let answer = try await post("/email", body, port)
                #expect(answer.status == status)
            }
        }
    }

    @Test func `where the public address is https the cookie is secure`() async throws {
        try await withServer("--public-url", "HTTPS://example.com") { _, port in
            let answer = try await post("/email", "email=a", port)
            #expect(answer.cookie?.hasPrefix("__Host-session=") == true)
            #expect(answer.cookie?.hasSuffix("; Secure") == true)
        }
    }

    @Test(arguments: [["--session-idle", "0"], ["--session-lifetime", "0"]])
    func `sessions live as long as they are told`(arguments: [String]) async throws {
        try await withServer(arguments[0], arguments[1]) { _, port in
            let first = try await post("/email", "email=a", port)
            let cookie = try #require(first.cookie?.split(separator: ";").first)
            #expect(try await post("/email", "email=a", port, "Cookie: \(cookie)").cookie != nil)
        }
    }

    @Test func `there may be as many sessions as it is told`() async throws {
        try await withServer("--max-sessions", "1") { _, port in
            let first = try await post("/email", "email=a", port)
            let cookie = try #require(first.cookie?.split(separator: ";").first)
            #expect(try await post("/email", "email=a", port, "Cookie: \(cookie)").cookie == nil)
            #expect(try await post("/email", "email=a", port).cookie != nil)
            #expect(try await post("/email", "email=a", port, "Cookie: \(cookie)").cookie != nil)
        }
    }

    @Test func `it logs as much as it is told`() async throws {
        try await withServer("--log-level", "error") { program, _ in
            program.send(SIGTERM)
            #expect(await program.result().errors == [])
        }
        try await withServer("--log-level", "debug", "--loops", "1") { program, port in
            #expect(await program.errors.next()?.contains("loops=1 url=http://127.0.0.1:\(port)") == true)
            program.send(SIGTERM)
            #expect(await program.result().errors.count == 3)
        }
    }

    // MARK: Stopping

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends it in peace`(signal: Int32) async throws {
        try await withServer { program, port in
            // Somebody who stays connected is no reason to stay.
            let connection = try RawConnection(port: port)
            try await connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            #expect(try await connection.receive().status == 200)
            program.send(signal)
            let result = await program.result()
            #expect(result.status == 0)
            #expect(result.errors.count == 1)
            #expect(result.errors.first?.contains("Stopping") == true)
            #expect(throws: (any Error).self) { try RawConnection(port: port) }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `what has been accepted is answered before it ends`(signal: Int32) async throws {
        try await withServer("--demo", "--drain", "50s") { program, port in
            let connection = try await half(of: "username=batman&password=bruce", to: "/login", port)
            program.send(signal)
            #expect(await program.errors.next(containing: "Stopping") != nil)
            try await connection.send("&password=bruce".utf8)
            let answer = try await connection.receive()
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""name":"Home""#))
            #expect(await program.result().status == 0)
        }
    }

    @Test func `it does not wait longer than it is told`() async throws {
        try await withServer("--drain", "50ms") { program, port in
            let connection = try await half(of: "email=a&event=emailChanged", to: "/email", port)
            program.send(SIGTERM)
            #expect(await program.result().status == 0)
            #expect(try await connection.receiveToEnd().isEmpty)
        }
    }

    // MARK: Helpers

    private func get(_ path: String, _ port: UInt16) async throws -> RawConnection.Reply {
        let connection = try RawConnection(port: port)
        try await connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        return try await connection.receive()
    }

    private func post(
        _ path: String,
        _ body: String,
        _ port: UInt16,
        _ header: String = "X-Nothing: here"
    ) async throws -> RawConnection.Reply {
        let connection = try RawConnection(port: port)
        let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n\(Self.form)\r\n"
        try await connection.send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        return try await connection.receive()
    }

    /// A connection on which the server has begun to read a request, and waits for what stands behind the body's first `&`.
    private func half(of body: String, to path: String, _ port: UInt16) async throws -> RawConnection {
        let connection = try RawConnection(port: port)
        let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(Self.form)\r\nExpect: 100-continue\r\n"
        try await connection.send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n".utf8)
        #expect(try await connection.receive().status == 100)
        try await connection.send(body.prefix { $0 != "&" }.utf8)
        return connection
    }
}

extension RawConnection.Reply {
    /// The cookie that is to be kept.
    fileprivate var cookie: String? {
        headers.first { $0.name == "Set-Cookie" }?.value
    }
}
