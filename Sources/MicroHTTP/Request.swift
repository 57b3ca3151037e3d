/// A request, whole: it reaches its handler when the last byte of its body has arrived.
public struct Request: Sendable {
    /// The method.
    public var method: Method
    /// The request target as it stands in the request line, not decoded: path and query.
    public var target: String
    /// The header fields.
    public var headers: Headers
    /// The body; empty where there is none.
    public var body: [UInt8]
    /// Names the request in logs and answers: the client's `X-Request-ID` where it is acceptable, else one of ours.
    public var id: String

    /// A request.
    ///
    /// - Parameter id: 1 to 64 of `A-Z a-z 0-9 . _ -`; one of ours unless given.
    public init(
        _ method: Method,
        _ target: String,
        headers: Headers = Headers(),
        body: [UInt8] = [],
        id: String = RequestID.next()
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.id = id
    }

    /// The target up to the query.
    public var path: Substring {
        target.prefix { $0 != "?" }
    }

    /// The target's part after the first `?`, where there is one.
    public var query: Substring? {
        target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
    }
}
