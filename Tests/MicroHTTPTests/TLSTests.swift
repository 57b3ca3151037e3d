import Foundation

/// Servers that speak TLS, with real clients.
@Suite(.enabled(if: TestCertificate.canBeMade), .fiveMinutes) struct TLSTests {
    let responder = StubResponder()

    // MARK: Requests

    @Test(arguments: ["-tls1_2", "-tls1_3"], [1, 4])
    func `requests on a connection get their responses, one after the other`(version: String, loops: Int) async throws {
        try await withTLSServer(configure: { $0.loops = loops }) { server, certificate in
            let client = try await server.client(trusting: certificate, options: [version])
            #expect(try await client.get("/1").text == "GET /1 ")
            let body = "body".repeated(15_000)
            #expect(try await client.request("POST", "/2", body: body.bytes).text == "POST /2 \(body)")
            #expect(try await client.get("/3").text == "GET /3 ")
        }
    }

    @Test(arguments: [
        ("-tls1", "ALL"), ("-tls1_1", "ALL"), ("-tls1_2", "AES128-GCM-SHA256"),
        ("-tls1_2", "ECDHE-ECDSA-AES128-SHA256"), ("-tls1_2", "ECDHE-ECDSA-AES256-SHA"),
    ])
    func `versions before TLS 1_2 and weak ciphers are rejected`(version: String, cipher: String) async throws {
        let options = [version, "-cipher", "\(cipher):@SECLEVEL=0"]
        try await withTLSServer(responder) { server, certificate async throws in
            #expect(try await server.client(trusting: certificate, options: options).isClosed)
            #expect(responder.requests.isEmpty)
        }
    }

    @Test func `a request without TLS gets no response`() async throws {
        try await withTLSServer(responder) { server, _ in
            let answer = try await server.client(sending: "/").receiveToEnd()
            #expect(!answer.text.contains("HTTP"))
            #expect(responder.requests.isEmpty)
        }
    }

    @Test func `a rejection reaches a client that still sends`() async throws {
        try await withTLSServer(configure: { $0.maximumBodySize = 1000 }) { server, certificate in
            let client = try await server.client(trusting: certificate)
            #expect(try await client.response(to: postHead(length: 100_000)).status == 413)
            #expect(try await client.isClosed)
        }
    }

    // MARK: Limits

    @Test(arguments: [
        // The beginning of a ClientHello of 512 bytes, bytes that are not a ClientHello, and nothing.
        "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}\u{01}\u{7C}\u{03}\u{03}" + "a".repeated(400), "",
    ])
    func `a client that does not complete its handshake is disconnected`(hello: String) async throws {
        try await withTLSServer {
            ($0.idleTimeout, $0.headTimeout) = (.milliseconds(200), .milliseconds(300))
        } test: { server, _ in
            let client = try await server.client()
            #expect(try await client.drip(hello, every: .milliseconds(100)) < max(1, hello.utf8.count))
            _ = try? await client.receiveToEnd()
            #expect(try await client.isClosed)
        }
    }

    // MARK: Other credentials

    @Test(arguments: [1, 3])
    func `new connections use new credentials, and existing connections keep theirs`(loops: Int) async throws {
        let (old, new) = (try await TestCertificate(), try await TestCertificate())
        let credentials = try TLSCredentials(certificate: old.certificate, key: old.key)
        try await withServer(configure: { ($0.credentials, $0.loops) = (credentials, loops) }) { server in
            let early = try await server.client(trusting: old)
            #expect(try await early.get().status == 200)
            try credentials.replace(certificate: new.certificate, key: new.key)
            for _ in 0..<3 { #expect(try await server.client(trusting: new).get().status == 200) }
            #expect(try await early.get().status == 200)
            #expect(try await server.client(trusting: old).isClosed)

            // Invalid credentials change nothing.
            #expect(throws: TLSCredentialsError.foreignKey) {
                try credentials.replace(certificate: old.certificate, key: new.key)
            }
            #expect(try await server.client(trusting: new).get().status == 200)
        }
    }

    @Test(
        arguments: [(2020...2021, .expired), (2098...2099, .notYetValid)] as [(ClosedRange<Int>, TLSCredentialsError)]
    )
    func `a certificate that is not valid now replaces only another one`(
        years: ClosedRange<Int>,
        invalidity: TLSCredentialsError
    ) async throws {
        let (valid, invalid) = (try await TestCertificate(), try await TestCertificate(in: years))
        let credentials = try TLSCredentials(certificate: invalid.certificate, key: invalid.key)
        #expect(credentials.invalidity == invalidity)
        try credentials.replace(certificate: invalid.certificate, key: invalid.key)
        try credentials.replace(certificate: valid.certificate, key: valid.key)
        #expect(throws: invalidity) {
            try credentials.replace(certificate: invalid.certificate, key: invalid.key)
        }
        #expect(credentials.invalidity == nil)
    }

    @Test func `credentials that cannot be used are rejected`() async throws {
        let (one, other) = (try await TestCertificate(), try await TestCertificate())
        let (certificate, key) = (try one.certificate, try one.key)
        let text = "text".bytes
        for (certificate, key, error) in [
            (text, key, .badCertificate), ([], key, .badCertificate), (key, key, .badCertificate),
            (certificate, text, .badKey), (certificate, [], .badKey), (certificate, certificate, .badKey),
            (certificate, try other.key, .foreignKey),
        ] as [([UInt8], [UInt8], TLSCredentialsError)] {
            #expect(throws: error) { try TLSCredentials(certificate: certificate, key: key) }
        }
        for isTraditional in [false, true] {
            let path = try await one.encryptedKeyPath(isTraditional: isTraditional)
            let encrypted = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(throws: TLSCredentialsError.encryptedKey) {
                try TLSCredentials(certificate: certificate, key: encrypted)
            }
        }
        // The certificate and the key may be in one file.
        _ = try TLSCredentials(certificate: key + certificate, key: certificate + key)
    }

    // MARK: Stopping

    @Test(arguments: [1, 3])
    func `a stopping server responds to accepted requests and closes silent connections`(loops: Int) async throws {
        let gate = Latch()
        try await withTLSServer(StubResponder(waitingAt: gate, for: "/slow")) {
            ($0.loops, $0.drainTimeout) = (loops, .seconds(600))
        } test: { server, certificate in
            let kept = try await server.client(trusting: certificate)
            #expect(try await kept.get().status == 200)
            let silent = try await server.client()
            let slow = try await server.client(trusting: certificate)
            try await slow.ask(for: "/slow")
            await gate.arrivals.reaches(1)
            async let stopped: Void = server.stop()
            #expect(try await kept.isClosed)
            #expect(try await silent.isClosed)
            gate.open()
            #expect(try await slow.receiveLast().text == "GET /slow ")
            await stopped
        }
    }
}
