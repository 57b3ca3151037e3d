/// A client with one connection, for tests: it sends any bytes, and reads responses.
///
/// Calls wait for four minutes at most, and never on the cooperative pool. Only one call may run at a time: for two, use
/// two clients.
public actor HTTPTestClient {
    let host: String
    /// The socket, until it has been closed.
    var socket: TestSocket?
    var reader = ResponseReader()
    var isAtEnd = false
    /// Whether a call is running on another thread.
    var isBusy = false

    /// Connects.
    ///
    /// - Parameters:
    ///   - host: the server's address, as a number.
    ///   - source: the IPv4 address to connect from; the system's choice unless given.
    ///   - bytes: what to send at once.
    /// - Throws: ``TestClientError``; `refused` if no process listens.
    public init(
        host: String = "127.0.0.1",
        port: UInt16,
        from source: String? = nil,
        sending bytes: String = ""
    ) async throws {
        try await self.init(name: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)", sending: bytes) {
            try TestSocket(host: host, port: port, from: source)
        }
    }

    /// Connects to a Unix domain socket.
    ///
    /// - Parameter path: the path of its file.
    /// - Throws: ``TestClientError``; `refused` if no process listens.
    public init(path: String) async throws {
        try await self.init(name: "localhost") { try TestSocket(path: path) }
    }

    /// Connects by TLS, through an `openssl s_client`. A failed handshake looks like a server that closes the connection.
    ///
    /// - Parameters:
    ///   - port: the server's port on 127.0.0.1.
    ///   - certificate: the certificate that the server must have.
    ///   - options: further options of `openssl s_client`.
    public init(tlsPort port: UInt16, trusting certificate: TestCertificate, options: [String] = []) async throws {
        let path = certificate.certificatePath
        try await self.init(name: "localhost:\(port)") {
            try TestSocket(tlsPort: port, trusting: path, options: options)
        }
    }

    private init(
        name: String,
        sending bytes: String = "",
        connect: @escaping @Sendable () throws -> TestSocket
    ) async throws {
        host = name
        socket = try await offPool {
            let socket = try connect()
            do {
                try socket.send(Array(bytes.utf8))
            } catch {
                socket.close()
                throw error
            }
            return socket
        }
    }

    deinit { socket?.close() }

    // MARK: Requests

    /// Sends a request and reads its response.
    ///
    /// Adds `Host` and, if there is a body, `Content-Length` unless they are given.
    ///
    /// - Parameter form: the body as a form, whose type is added.
    public func request(
        _ method: String,
        _ target: String,
        headers: KeyValuePairs<String, String> = [:],
        body: [UInt8] = [],
        form: String? = nil
    ) async throws -> TestResponse {
        try await send(message(method, target, headers: headers, body: body, form: form))
        return try await receive(isHead: method == "HEAD")
    }

    /// Connects, sends one request, reads its response and closes.
    public static func request(
        _ method: String,
        _ target: String,
        headers: KeyValuePairs<String, String> = [:],
        body: [UInt8] = [],
        form: String? = nil,
        port: UInt16
    ) async throws -> TestResponse {
        let client = try await HTTPTestClient(port: port)
        let response = try await client.request(method, target, headers: headers, body: body, form: form)
        await client.close()
        return response
    }

    /// The bytes that ``request(_:_:headers:body:)`` sends.
    public func message(
        _ method: String,
        _ target: String,
        headers: KeyValuePairs<String, String> = [:],
        body: [UInt8] = [],
        form: String? = nil
    ) -> [UInt8] {
        let body = form.map { Array($0.utf8) } ?? body
        var lines = ["\(method) \(target) HTTP/1.1"]
        let names = headers.map { $0.key.lowercased() }
        if !names.contains("host") { lines.append("Host: \(host)") }
        for (name, value) in headers { lines.append("\(name): \(value)") }
        if form != nil { lines.append("Content-Type: application/x-www-form-urlencoded") }
        if !body.isEmpty, !names.contains("content-length"), !names.contains("transfer-encoding") {
            lines.append("Content-Length: \(body.count)")
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    // MARK: Bytes

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) async throws { try await onSocket { try $0.send(bytes) } }

    /// Sends text.
    public func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends bytes one by one, with a pause after each, until the server responds or closes the connection.
    ///
    /// - Returns: the number of bytes that were sent.
    public func drip(_ text: String, every pause: Duration) async throws -> Int {
        try await onSocket { socket in
            for (count, byte) in text.utf8.enumerated() {
                if count > 0, socket.isReadable(within: pause) { return count }
                do throws(TestClientError) {
                    try socket.send([byte])
                } catch .closed, .reset {
                    return count
                }
            }
            return text.utf8.count
        }
    }

    /// Reads one response, which may be an interim one.
    ///
    /// - Parameter isHead: whether it answers a HEAD request, and so has no body.
    public func receive(isHead: Bool = false) async throws -> TestResponse {
        while true {
            if let response = try reader.next(isHead: isHead, isAtEnd: isAtEnd) { return response }
            try await readMore()
        }
    }

    /// Returns when that text has arrived, and leaves it to be read. A chunk must contain all of it.
    public func waitFor(_ text: String) async throws {
        while reader.bytes.firstRange(of: Array(text.utf8)) == nil {
            if isAtEnd { throw TestClientError.closed }
            try await readMore()
        }
    }

    /// Everything that the server still sends until it closes the connection.
    ///
    /// - Throws: ``TestClientError/timedOut`` if the server does not close the connection.
    public func receiveToEnd() async throws -> [UInt8] {
        while !isAtEnd { try await readMore() }
        return reader.takeAll()
    }

    /// Whether the server closes the connection within four minutes, or has already, without sending anything more.
    public var isClosed: Bool {
        get async throws {
            do {
                return try await receiveToEnd().isEmpty
            } catch TestClientError.reset {
                return reader.bytes.isEmpty
            } catch TestClientError.timedOut {
                return false
            }
        }
    }

    /// Ends the sending. Responses can still be read.
    public func halfClose() { socket?.halfClose() }

    /// Closes the connection. No other method may be called afterwards.
    public func close() {
        precondition(!isBusy, "the client is still in use")
        socket?.close()
        socket = nil
    }

    /// Closes the connection with a reset.
    public func abort() {
        precondition(!isBusy, "the client is still in use")
        socket?.abort()
        socket = nil
    }

    func readMore() async throws {
        let bytes = try await onSocket { try $0.receive() }
        reader.append(bytes)
        isAtEnd = bytes.isEmpty
    }

    func onSocket<Result: Sendable>(_ work: @escaping @Sendable (TestSocket) throws -> Result) async throws -> Result {
        precondition(!isBusy, "a client does one thing at a time")
        guard let socket else { throw TestClientError.closed }
        isBusy = true
        defer { isBusy = false }
        return try await offPool { try work(socket) }
    }
}
