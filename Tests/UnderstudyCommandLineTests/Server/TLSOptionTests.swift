@testable import UnderstudyCommandLine

/// `--tls-certificate` and `--tls-key` of `serve`, with real clients.
@Suite(.enabled(if: TestCertificate.canBeMade), .fiveMinutes) struct TLSOptionTests {
    @Test func `a server with a certificate prints an https address for curl, and sets secure cookies`() async throws {
        try await withTLSServer("--demo") { program, port, certificate in
            let lines = [program.output.all.first, await program.output.next()]
            #expect(lines.first == "Listening on https://127.0.0.1:\(port)")
            let path = certificate.certificatePath
            let example = "curl -d username=batman -d password=bruce --cacert \(path) https://localhost:\(port)/login"
            #expect(lines.last == "Try: \(example)")
            let client = try await HTTPTestClient(tlsPort: port, trusting: certificate)
            let answer = try await client.request("POST", "/login", form: "username=batman&password=bruce").expect()
            let cookie = try #require(answer.header("Set-Cookie"))
            #expect(cookie.hasPrefix("__Host-session="))
            #expect(cookie.hasSuffix("; Secure"))
            try await expectStrictTransport(client)
            let shell = "\(example) --silent --show-error --write-out '%{http_code} %{ssl_verify_result}'"
            let curl = try await Program(["-c", shell], running: "/bin/sh").result().expect(status: 0)
            #expect(curl.output.last?.hasSuffix("200 0") == true)
        }
    }

    @Test func `with a public https address, every response has Strict-Transport-Security`() async throws {
        try await withServer("--demo", "--public-url", "https://shop.example") { _, port async throws in
            try await expectStrictTransport(try await HTTPTestClient(port: port))
        }
    }

    func expectStrictTransport(_ client: HTTPTestClient) async throws {
        for target in ["/livez", "/nowhere", "/login", "/understudy.js", "/docs", "/openapi.json"] {
            for type in ["application/json", "text/html"] {
                let answer = try await client.request("GET", target, headers: ["Accept": type])
                #expect(answer.values("Strict-Transport-Security") == ["max-age=31536000"], "\(target)")
            }
        }
        try await client.send("GET / HTTP/1.1\r\n\r\n")
        let refusal = try await client.receive().expect(status: 400)
        #expect(refusal.header("Strict-Transport-Security") == "max-age=31536000")
    }

    @Test func `SIGHUP keeps a valid certificate if the new one has expired, and the metrics report it`() async throws {
        let new = try await TestCertificate(in: 2020...2021)
        try await withTLSServer("--admin-port", "0") { program, port, old in
            let operators = try await program.operatorsPort
            func isReloaded() async throws -> Bool? {
                let metrics = try await get("/metrics", operators).text
                let line = metrics.split(separator: "\n").first { $0.hasPrefix("understudy_last_reload_successful ") }
                return line.map { $0.hasSuffix(" 1") }
            }
            #expect(try await isReloaded() == true)
            let (certificate, key) = (try old.certificate, try old.key)
            try replace(old.certificatePath, with: new.certificate)
            try replace(old.keyPath, with: new.key)
            program.send(SIGHUP)
            let error = await program.errors.next(containing: "are not reloaded")
            #expect(error?.contains("has expired: renew it") == true)
            #expect(await program.errors.next(containing: "Reloaded") != nil)
            #expect(try await isReloaded() == false)
            let files = ["--tls-certificate", new.certificatePath, "--tls-key", new.keyPath]
            try await Application.bundled.run(["config"] + files).expect(error: "…has expired: renew it.")
            // A client that connects gets the one that is valid.
            try replace(old.certificatePath, with: certificate)
            try await HTTPTestClient(tlsPort: port, trusting: old).request("GET", "/livez").expect()
            try replace(old.keyPath, with: key)
            program.send(SIGHUP)
            #expect(await program.errors.next(containing: "have been reloaded") != nil)
            #expect(await program.errors.next(containing: "Reloaded") != nil)
            #expect(try await isReloaded() == true)
        }
    }

    @Test func `the metrics state when the certificate expires`() async throws {
        let certificate = try await TestCertificate()
        let files = TLSFiles(certificate: certificate.certificatePath, key: certificate.keyPath)
        let value = Double(try #require(try files.open().expiration))
        let twoDays = Date.now.timeIntervalSince1970 + 2 * 86_400
        #expect((twoDays - 600...twoDays + 1).contains(value))
    }

    @Test func `healthcheck uses TLS with an option or a setting`() async throws {
        try await withTLSServer { _, port, certificate in
            try await understudy("healthcheck --port \(port) --tls").expect(status: 0)
            let environment = ["UNDERSTUDY_PORT": "\(port)", "UNDERSTUDY_TLS_CERTIFICATE": certificate.certificatePath]
            try await understudy("healthcheck", environment: environment).expect(status: 0)
            try await understudy("healthcheck --port \(port)").expect(status: 1)
        }
    }

    @Test func `healthcheck over TLS fails if the server does not use TLS`() async throws {
        let other = try OtherServer(responding: "HTTP/1.1 400 Bad Request\r\n\r\n")
        try await understudy("healthcheck --port \(other.port) --tls").expect(error: "127.0.0.1 port \(other.port): …")
        let silent = try OtherServer(responding: nil)
        let late = try await understudy("healthcheck --port \(silent.port) --tls --timeout 50ms")
        #expect(late.errors == ["error: 127.0.0.1 port \(silent.port): no response in time"])
    }

    @Test func `an error names the file that cannot be used, and the reason`() async throws {
        let (one, other) = (try await TestCertificate(), try await TestCertificate())
        let (certificate, key) = (one.certificatePath, one.keyPath)
        let encrypted = try await one.encryptedKeyPath(isTraditional: false)
        for (certificate, key, error) in [
            ("/nowhere", key, "The file '/nowhere' of 'tls-certificate' cannot be read: No such file or directory."),
            (certificate, "/nowhere", "The file '/nowhere' of 'tls-key' cannot be read: No such file or directory."),
            ("/tmp", key, "The file '/tmp' of 'tls-certificate' cannot be read: Is a directory."),
            (key, key, "'\(key)' is not a valid certificate in PEM format."),
            ("/dev/null", key, "'/dev/null' is not a valid certificate in PEM format."),
            (certificate, "/dev/zero", "'/dev/zero' is not a valid private key in PEM format."),
            (
                certificate, other.keyPath,
                "The key '\(other.keyPath)' does not belong to the certificate '\(certificate)'."
            ),
            (
                certificate, encrypted,
                "The key '\(encrypted)' has a password. Remove it: 'openssl pkey -in FILE -out FILE'."
            ),
        ] { #expect(throws: CommandError(error)) { try TLSFiles(certificate: certificate, key: key).open() } }
    }

    /// Puts a file with that content in the place of another one.
    func replace(_ path: String, with content: [UInt8]) throws {
        try Data(content).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    func withTLSServer(
        _ arguments: String...,
        body: (Program, UInt16, TestCertificate) async throws -> Void
    ) async throws {
        let certificate = try await TestCertificate()
        let files = ["--tls-certificate", certificate.certificatePath, "--tls-key", certificate.keyPath]
        try await withServer(files + arguments) { try await body($0, $1, certificate) }
    }
}
