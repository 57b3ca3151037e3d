/// A way to a service: over the network, or to one in the same process.
public protocol Transport: Sendable {
    /// Sends a request, and returns the answer, whatever its status.
    ///
    /// May be called from several tasks at once. When the task is cancelled, the request is given up.
    ///
    /// - Throws: where there is no answer. The service may have got the request all the same.
    func send(_ request: RemoteRequest) async throws -> RemoteResponse
}

/// A request to a service.
public struct RemoteRequest: Equatable, Sendable {
    /// The method: `GET`, `POST` or `DELETE`.
    public let method: String
    /// Path and query, from `/` on, as they stand in the request line.
    public let target: String
    /// The header fields, each name once.
    public let headers: [String: String]
    /// The body; empty where there is none.
    public let body: [UInt8]

    /// A request.
    public init(_ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// A service's answer to a request.
public struct RemoteResponse: Equatable, Sendable {
    /// The status code.
    public let status: Int
    /// The header fields, by their names in lower case.
    public let headers: [String: String]
    /// The body; empty where there is none.
    public let body: [UInt8]

    /// An answer.
    ///
    /// - Parameters:
    ///   - status: the status code.
    ///   - headers: the header fields; their names may be in any case.
    ///   - body: the body; empty unless given.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
        self.body = body
    }
}
