/// Runs a test against a server, and stops the server.
func withServer(
    _ responder: any Responder = StubResponder(),
    configure: (inout ServerConfiguration) throws -> Void = { _ in },
    test: (Server) async throws -> Void
) async throws {
    try await withRunningServer(responder) {
        // Most tests use the shortest possible host.
        $0.hostPolicy = .never
        try configure(&$0)
    } _: { server in
        try await test(server)
    }
}

/// The same for a server that speaks TLS, with its certificate.
func withTLSServer(
    _ responder: any Responder = StubResponder(),
    configure: (inout ServerConfiguration) throws -> Void = { _ in },
    test: (Server, TestCertificate) async throws -> Void
) async throws {
    let certificate = try await TestCertificate()
    let credentials = try TLSCredentials(certificate: certificate.certificate, key: certificate.key)
    try await withServer(responder) {
        $0.credentials = credentials
        try configure(&$0)
    } test: {
        try await test($0, certificate)
    }
}

/// The same with a client, which asks for a target if one is given.
func withClient(
    _ responder: any Responder = StubResponder(),
    configure: (inout ServerConfiguration) throws -> Void = { _ in },
    sending target: String? = nil,
    test: (Server, HTTPTestClient) async throws -> Void
) async throws {
    try await withServer(responder, configure: configure) { try await test($0, $0.client(sending: target)) }
}

/// A configuration of a server with its description, and what a test does or expects with it.
struct ConfigurationCase<Value: Sendable>: CustomTestStringConvertible {
    let testDescription: String
    let value: Value
    let configure: @Sendable (inout ServerConfiguration) throws -> Void

    init(
        _ description: String,
        _ value: Value,
        configure: @escaping @Sendable (inout ServerConfiguration) throws -> Void
    ) {
        (testDescription, self.value, self.configure) = (description, value, configure)
    }
}

/// The head of a request with a body of that length.
func postHead(length: Int, _ others: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\(others)\r\n"
}

/// The head of a request with a chunked body.
let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

extension HTTPTestClient {
    func get(_ target: String = "/", headers: KeyValuePairs<String, String> = [:]) async throws -> TestResponse {
        try await request("GET", target, headers: headers)
    }

    /// Sends text, and reads the next response.
    func response(to text: String) async throws -> TestResponse {
        try await send(text)
        return try await receive()
    }

    /// Sends a request, and leaves the response to be read.
    func ask(for target: String = "/") async throws { try await send(message("GET", target)) }

    /// Reads a response, and expects that it is the last one, after which the server closes the connection.
    func receiveLast(sourceLocation: SourceLocation = #_sourceLocation) async throws -> TestResponse {
        let response = try await receive()
        #expect(response.header("Connection") == "close", sourceLocation: sourceLocation)
        #expect(try await isClosed, sourceLocation: sourceLocation)
        return response
    }
}

extension Server {
    var port: UInt16 { address.port }

    /// The response that another client gets.
    func get(_ target: String = "/") async throws -> TestResponse {
        try await HTTPTestClient.request("GET", target, port: port)
    }

    func client(trusting certificate: TestCertificate, options: [String] = []) async throws -> HTTPTestClient {
        try await HTTPTestClient(tlsPort: port, trusting: certificate, options: options)
    }

    /// A client, which asks for a target if one is given, and leaves the response to be read.
    func client(sending target: String? = nil) async throws -> HTTPTestClient {
        // At once with the connection, which a test may close soon.
        let request = target.map { "GET \($0) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n" }
        return try await HTTPTestClient(port: port, sending: request ?? "")
    }

    /// Clients that ask for `/0`, `/1` and so on, and leave the responses to be read.
    func clients(_ count: Int) async throws -> [HTTPTestClient] {
        var clients: [HTTPTestClient] = []
        for number in 0..<count { clients.append(try await client(sending: "/\(number)")) }
        return clients
    }
}
