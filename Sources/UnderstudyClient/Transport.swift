/// A connection to a service, over the network or in the same process.
public protocol Transport: Sendable {
    /// Sends a request, and returns the response with any status when its head has arrived. The body arrives in parts.
    ///
    /// May be called from several tasks at once. Cancelling the task cancels the request. If a transport can return only a whole response, a
    /// screen shows the commands of an event together.
    ///
    /// - Throws: if there is no response. The service may have received the request nevertheless.
    func stream(_ request: RemoteRequest) async throws -> RemoteResponseStream
}

extension Transport {
    /// Sends a request, and returns the whole response with any status.
    ///
    /// - Throws: if there is no response, or if it breaks off. The service may have received the request nevertheless.
    public func send(_ request: RemoteRequest) async throws -> RemoteResponse { try await stream(request).complete }
}

/// A request to a service.
public struct RemoteRequest: Equatable, Sendable {
    /// The method: `GET`, `POST` or `DELETE`.
    public let method: String
    /// The path, beginning with `/`, and the query, as in the request line.
    public let target: String
    /// The header fields. Each name occurs once.
    public let headers: [String: String]
    /// The body; may be empty.
    public let body: [UInt8]

    /// Creates a request; by default without header fields and without a body.
    public init(_ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// A service's response to a request.
public struct RemoteResponse: Equatable, Sendable {
    /// The status code.
    public let status: Int
    /// The header fields by name. The names are in lower case.
    public let headers: [String: String]
    /// The body; may be empty.
    public let body: [UInt8]

    /// Creates a response; by default without header fields and without a body.
    ///
    /// - Parameters:
    ///   - status: the status code.
    ///   - headers: the header fields, with names in any case.
    ///   - body: the body; may be empty.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
        self.body = body
    }
}

/// A service's response to a request, whose body may still be arriving.
public struct RemoteResponseStream: Sendable {
    /// The status and the header fields. The body is empty.
    public let head: RemoteResponse
    /// The parts of the body. The sequence throws if the response breaks off. Ending the iteration cancels the request.
    public let body: AsyncThrowingStream<[UInt8], any Error>

    /// Creates a response with the status and the header fields of `head`.
    public init(_ head: RemoteResponse, body: AsyncThrowingStream<[UInt8], any Error>) {
        self.head = head.with([])
        self.body = body
    }
}

extension RemoteResponseStream {
    /// Creates a response that has arrived as a whole.
    public init(_ response: RemoteResponse) {
        let (body, parts) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        parts.yield(response.body)
        parts.finish()
        self.init(response, body: body)
    }

    var complete: RemoteResponse {
        get async throws {
            var bytes: [UInt8] = []
            for try await part in body { bytes += part }
            try Task.checkCancellation()
            return head.with(bytes)
        }
    }
}

extension RemoteResponse {
    func with(_ body: [UInt8]) -> RemoteResponse { RemoteResponse(status: status, headers: headers, body: body) }
}
