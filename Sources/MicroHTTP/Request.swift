public import Addresses
internal import Synchronization

/// A request, whole: it reaches its handler when the last byte of its body has arrived.
public struct Request: Sendable {
    /// What a request holds. A request is one reference to it, so that passing it on costs next to nothing, and a
    /// connection uses it again for its next request, once nobody else refers to it.
    ///
    /// Sendable because it is written only by whoever made it, before anybody else refers to it.
    final class Storage: @unchecked Sendable {
        var method = Method.get
        var target = ""
        var headers = Headers()
        var body: [UInt8] = []
        var id = ""
        var clientAddress: IPAddress?
        var note: ConnectionCache?
        var isForwarded = false

        /// Empties it for the next request, keeping the memory that is not too much to keep.
        func removeAll() {
            headers.removeAll()
            if body.capacity > 4096 { body = [] } else { body.removeAll(keepingCapacity: true) }
        }
    }

    private let storage: Storage

    /// The method.
    public var method: Method { storage.method }
    /// Path and query as they stand in the request line, not decoded; `*` for the server as such. The server's address,
    /// which may stand before them, is left out.
    public var target: String { storage.target }
    /// The header fields.
    public var headers: Headers { storage.headers }
    /// The body; empty where there is none.
    public var body: [UInt8] { storage.body }
    /// Names the request in logs and answers: the client's `X-Request-ID` where it is acceptable, else one of ours.
    public var id: String { storage.id }

    /// The client's IP address: the one at the other end of the connection, or the one that a trusted proxy reports. `nil` if the
    /// request did not come over a network.
    public var clientAddress: IPAddress? { storage.clientAddress }

    /// Whether the request came through a proxy that is trusted. Such a request has no exemption from limits, whichever address
    /// the proxy reports: what comes from this machine itself needs no proxy.
    package var isForwarded: Bool { storage.isForwarded }

    /// What the responder keeps with the connection; `nil` where the request came over none.
    package var note: ConnectionCache? { storage.note }

    /// A request.
    ///
    /// - Parameters:
    ///   - method: what is to be done.
    ///   - target: path and query, from `/` on, as they stand in the request line.
    ///   - headers: the header fields; none unless given.
    ///   - body: the body, whole; empty unless given.
    ///   - id: 1 to 64 of `A-Z a-z 0-9 . _ -`; one of ours unless given.
    ///   - clientAddress: the client's IP address, such as `IPAddress("192.0.2.7")`; `nil` unless given.
    public init(
        _ method: Method,
        _ target: String,
        headers: Headers = Headers(),
        body: [UInt8] = [],
        id: String = RequestID.next(),
        clientAddress: IPAddress? = nil
    ) {
        self.init(
            method,
            target,
            headers: headers,
            body: body,
            id: id,
            clientAddress: clientAddress,
            isForwarded: false
        )
    }

    /// A request that may have come through a proxy.
    package init(
        _ method: Method,
        _ target: String,
        headers: Headers = Headers(),
        body: [UInt8] = [],
        id: String = RequestID.next(),
        clientAddress: IPAddress?,
        isForwarded: Bool
    ) {
        storage = Storage()
        storage.method = method
        storage.target = target
        storage.headers = headers
        storage.body = body
        storage.id = id
        storage.clientAddress = clientAddress
        storage.isForwarded = isForwarded
    }

    /// The request that the storage holds, which is not written to any more.
    init(_ storage: Storage) {
        self.storage = storage
    }

    /// The target up to the query.
    public var path: Substring {
        // Over bytes: characters that a client chooses can be as long as the target.
        target[..<(questionMark ?? target.endIndex)]
    }

    /// The target's part after the first `?`, where there is one.
    public var query: Substring? {
        questionMark.map { target[target.utf8.index(after: $0)...] }
    }

    private var questionMark: String.Index? { target.utf8.firstIndex(of: UInt8(ascii: "?")) }
}

/// What a responder keeps with a connection, to find it again with the connection's next request.
package final class ConnectionCache: Sendable {
    private let mutex = Mutex<(any AnyObject & Sendable)?>(nil)

    package var content: (any AnyObject & Sendable)? {
        get { mutex.withLock { $0 } }
        set { mutex.withLock { $0 = newValue } }
    }
}
