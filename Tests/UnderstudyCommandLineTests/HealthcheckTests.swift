import Testing

@Suite(.timeLimit(.minutes(1))) struct HealthcheckTests {
    @Test func `its help mentions every option`() async throws {
        let result = try await Program.run("healthcheck", "--help")
        let text = result.output.joined(separator: "\n")
        for word in ["--host", "--port", "--socket", "--timeout", "UNDERSTUDY_HOST", "UNDERSTUDY_PORT"] {
            #expect(text.contains(word), "\(word)")
        }
    }

    @Test func `a server that is well is exit status 0`() async throws {
        try await withServer { _, port in
            for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
                let result = try await Program.run("healthcheck", "--host", host, "--port", "\(port)")
                #expect(result.status == 0)
                #expect(result.output == [])
                #expect(result.errors == [])
            }
        }
    }

    @Test func `where to ask can be said in the environment and options win`() async throws {
        try await withServer { _, port in
            let environment = ["UNDERSTUDY_HOST": "127.0.0.1", "UNDERSTUDY_PORT": "\(port)"]
            #expect(try await Program.run("healthcheck", environment: environment).status == 0)
            let elsewhere = ["UNDERSTUDY_HOST": "192.0.2.1", "UNDERSTUDY_PORT": "1"]
            let options = try await Program.run(
                "healthcheck",
                "--host",
                "127.0.0.1",
                "--port",
                "\(port)",
                environment: elsewhere
            )
            #expect(options.status == 0)
        }
    }

    @Test func `where nobody listens it is exit status 1`() async throws {
        let port = freePort()
        let result = try await Program.run("healthcheck", "--port", "\(port)")
        #expect(result.status == 1)
        #expect(result.output == [])
        #expect(result.errors == ["error: 127.0.0.1 port \(port): Connection refused"])
    }

    @Test(arguments: [
        (
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
            "it answered 'HTTP/1.1 503 Service Unavailable'"
        ),
        ("HTTP/1.1 404 Not Found\r\n\r\n", "it answered 'HTTP/1.1 404 Not Found'"),
        ("SSH-2.0-OpenSSH_9.2\r\n", "it answered 'SSH-2.0-OpenSSH_9.2'"),
        ("", "it closed the connection without an answer"),
    ])
    func `a wrong server is exit status 1`(answer: String, reason: String) async throws {
        let stranger = Stranger(saying: answer)
        let result = try await Program.run("healthcheck", "--port", "\(stranger.port)")
        #expect(result.status == 1)
        #expect(result.output == [])
        #expect(result.errors == ["error: 127.0.0.1 port \(stranger.port): \(reason)"])
    }

    @Test func `a server that does not answer in time is exit status 1`() async throws {
        let stranger = Stranger(saying: nil)
        let result = try await Program.run("healthcheck", "--port", "\(stranger.port)", "--timeout", "50ms")
        #expect(result.status == 1)
        #expect(result.errors == ["error: 127.0.0.1 port \(stranger.port): no answer in time"])
    }

    @Test func `an unknown host is exit status 1`() async throws {
        let result = try await Program.run("healthcheck", "--host", "no such host")
        #expect(result.status == 1)
        #expect(result.errors.count == 1)
        #expect(result.errors.first?.hasPrefix("error: no such host port 8080: ") == true)
    }

    @Test(arguments: [
        ["--port", "x"], ["--port", "65536"], ["--timeout", "soon"], ["--timeout", "0"], ["--nonsense"],
    ])
    func `a bad value is one line of error`(arguments: [String]) async throws {
        let program = try Program(["healthcheck"] + arguments)
        defer { program.kill() }
        let result = await program.result()
        #expect(result.status == 64)
        #expect(result.output == [])
        #expect(result.errors.count == 1)
    }

    @Test(arguments: [("UNDERSTUDY_PORT", "x"), ("UNDERSTUDY_PORT", "-1")])
    func `a bad value in the environment is one line of error`(variable: String, value: String) async throws {
        let result = try await Program.run("healthcheck", environment: [variable: value])
        #expect(result.status == 64)
        #expect(
            result.errors.first?
                .hasPrefix(
                    "error: The value '\(value)' is invalid for the environment variable \(variable): it has to be "
                )
                == true
        )
    }
}
