@Suite(.fiveMinutes) struct HealthcheckTests {
    @Test func `a running server results in exit status 0, whether options or the environment name it`() async throws {
        try await withServer { _, port in
            for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
                let result = try await understudy("healthcheck --host \(host) --port \(port)")
                result.expect(status: 0, output: [], errors: [])
            }
            let environment = ["UNDERSTUDY_HOST": "127.0.0.1", "UNDERSTUDY_PORT": "\(port)"]
            try await understudy("healthcheck", environment: environment).expect(status: 0)
        }
    }

    @Test func `a port without a server results in exit status 1`() async throws {
        let reserved = try ReservedPort()
        defer { withExtendedLifetime(reserved) {} }
        let port = reserved.number
        let error = "127.0.0.1 port \(port): Connection refused"
        try await understudy("healthcheck --port \(port)").expect(error: error, output: [])
    }

    @Test(arguments: [
        (
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
            "it responded with 'HTTP/1.1 503 Service Unavailable'"
        ),
        ("HTTP/1.1 404 Not Found\r\n\r\n", "it responded with 'HTTP/1.1 404 Not Found'"),
        ("SSH-2.0-OpenSSH_9.2\r\n", "it responded with 'SSH-2.0-OpenSSH_9.2'"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n", "it is not a server of Understudy"),
        ("HTTP/1.1 200 OK\r\nX-Request-ID: a\r\n\r\nHello", "it is not a server of Understudy"),
        ("", "it closed the connection without a response"), (nil, "no response in time"),
    ])
    func `any response but that of a live server is a failure`(answer: String?, reason: String) async throws {
        let other = try OtherServer(responding: answer)
        let limit = answer == nil ? "--timeout 50ms" : ""
        let error = "127.0.0.1 port \(other.port): \(reason)"
        try await understudy("healthcheck --port \(other.port) \(limit)").expect(error: error, output: [])
    }

    @Test(arguments: [("no such host", "is not a host name"), ("nowhere.invalid", "cannot be found")])
    func `an unknown host results in exit status 1`(host: String, reason: String) async throws {
        let error = "\(host) port 8080: the host \(reason)"
        try await understudy("healthcheck --host", host).expect(error: error, output: [])
    }
}
