/// A request, whole: it reaches its handler when the last byte of its body has arrived.
public struct Request: Sendable {
    /// A request is one reference, so that passing it on through asynchronous calls costs next to nothing.
    private final class Storage: Sendable {
        let method: Method
        let target: String
        let headers: Headers
        let body: [UInt8]
        let id: String

        init(method: Method, target: String, headers: Headers, body: [UInt8], id: String) {
            self.method = method
            self.target = target
            self.headers = headers
            self.body = body
            self.id = id
        }
    }

    private let storage: Storage

    /// The method.
    public var method: Method { storage.method }
    /// The request target as it stands in the request line, not decoded: path and query.
    public var target: String { storage.target }
    /// The header fields.
    public var headers: Headers { storage.headers }
    /// The body; empty where there is none.
    public var body: [UInt8] { storage.body }
    /// Names the request in logs and answers: the client's `X-Request-ID` where it is acceptable, else one of ours.
    public var id: String { storage.id }

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
        storage = Storage(method: method, target: target, headers: headers, body: body, id: id)
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
