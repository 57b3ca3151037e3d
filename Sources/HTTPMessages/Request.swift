public import Addresses
import Synchronization

/// A complete request: it reaches its handler when the last byte of its body has arrived.
public final class Request: @unchecked Sendable {
    // Sendable because only its connection writes it, and only while no other code has a reference to it.

    package struct Content: Sendable {
        package var method = Method.get
        package var target = ""
        package var headers = Headers()
        package var body: [UInt8] = []
        package var id = ""
        package var clientAddress: IPAddress?
        package var connectionCache: ConnectionCache?
        package var isForwarded = false
        package var eventLoop = 0
        package var number = 0

        package init() {}

        /// Keeps the memory for the next request, unless it takes more than 4 KiB.
        package mutating func removeBody() {
            if body.capacity > 4096 { body = [] } else { body.removeAll(keepingCapacity: true) }
        }
    }

    /// A connection assembles it, and reuses the request for the next one.
    // Without `@exclusivity(unchecked)`, an event takes 920 instructions more in a plain build.
    @exclusivity(unchecked) package var content: Content

    /// The method.
    public var method: Method { content.method }
    /// Path and query as in the request line, not decoded, and without the scheme and the host that may precede them. `*` for the server
    /// itself, with OPTIONS.
    public var target: String { content.target }
    /// The header fields.
    public var headers: Headers { content.headers }
    /// The body; may be empty.
    public var body: [UInt8] { content.body }
    /// The ID of the request in logs and responses: the client's `X-Request-ID` if it is valid, else a new one.
    public var id: String { content.id }

    /// The client's IP address: the one at the other end of the connection, or the one that a trusted proxy reports. `nil` for a request
    /// over a Unix domain socket if no trusted proxy reports an address.
    public var clientAddress: IPAddress? { content.clientAddress }

    /// A request that came through a trusted proxy is never exempt from limits, whatever address the proxy reports: a client on this machine needs no
    /// proxy.
    package var isForwarded: Bool { content.isForwarded }

    /// From 0; 0 if the request did not come over a connection.
    package var eventLoop: Int { content.eventLoop }

    /// `nil` if the request did not come over a connection.
    package var connectionCache: ConnectionCache? { content.connectionCache }

    var number: Int { content.number }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - target: path and query, from `/` on, as in the request line.
    ///   - headers: the header fields; none unless given.
    ///   - body: the body; empty unless given.
    ///   - id: 1 to 64 characters of `A-Z a-z 0-9 . _ -`; a new ID if `nil`.
    ///   - clientAddress: the client's IP address, such as `IPAddress("192.0.2.7")`; `nil` unless given.
    public convenience init(
        _ method: Method,
        _ target: String,
        headers: Headers = Headers(),
        body: [UInt8] = [],
        id: String? = nil,
        clientAddress: IPAddress? = nil
    ) {
        var content = Content()
        content.method = method
        content.target = target
        content.headers = headers
        content.body = body
        content.id = id ?? RequestID.next()
        content.clientAddress = clientAddress
        self.init(content)
    }

    package init(_ content: consuming Content) {
        self.content = content
    }

    /// The target up to the query. Letters, digits and `-._~`, which mean the same if they are percent-encoded (RFC 3986, section 6.2.2.2),
    /// are decoded, and nothing else is: `/%6Cogin%2F` is `/login%2F`.
    public var path: Substring {
        // Over bytes: characters that a client chooses can be as long as the target.
        target[..<(questionMark ?? target.endIndex)].withUnreservedDecoded
    }

    /// The target's part after the first `?`, decoded like ``path``; `nil` if there is no `?`.
    public var query: Substring? { questionMark.map { target[target.utf8.index(after: $0)...].withUnreservedDecoded } }

    private var questionMark: String.Index? { target.utf8.firstIndex(of: UInt8(ascii: "?")) }
}

extension Substring {
    /// Decodes only those characters which need not be percent-encoded.
    fileprivate var withUnreservedDecoded: Substring {
        let isEncoded = utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: "%")) }
        guard isEncoded != false else { return self }
        var rest = Array(utf8)[...]
        var decoded: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let character = rest.leadingHexadecimalByte, character.isUnreservedInURI {
                decoded.append(character)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return Substring(decoding: decoded, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// `nil` if the first two bytes are not hexadecimal digits.
    fileprivate var leadingHexadecimalByte: UInt8? {
        guard count >= 2, let high = self[startIndex].hexadecimalDigit, let low = self[startIndex + 1].hexadecimalDigit
        else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    /// RFC 3986, section 2.3.
    fileprivate var isUnreservedInURI: Bool { isLetter || isDigit || "-._~".utf8.contains(self) }
}

/// Contains what a responder stores with a connection, for the connection's next requests.
package final class ConnectionCache: Sendable {
    private let mutex = Mutex<(any AnyObject & Sendable)?>(nil)
    private let opened = Mutex<(any StreamConnection)?>(nil)

    package init() {}

    package var content: (any AnyObject & Sendable)? {
        get { mutex.withLock { $0 } }
        set { mutex.withLock { $0 = newValue } }
    }

    /// The connection, until it is closed.
    package var connection: (any StreamConnection)? {
        get { opened.withLock { $0 } }
        set { opened.withLock { $0 = newValue } }
    }
}

extension Request {
    /// A request that this one results in, with its method, target and body if they are `nil`. The fields replace those of the request; an empty
    /// value removes the field. `accepting` is the value of `Accept`.
    package func part(
        _ method: Method? = nil,
        _ target: String? = nil,
        accepting: String = "application/json",
        replacing: [HeaderField] = [],
        body: [UInt8]? = nil
    ) -> Request {
        let replacing = replacing + [("Accept", accepting)]
        var fields: [HeaderField] = []
        for field in headers.all {
            guard let name = HeaderName(String(decoding: field.name, as: UTF8.self)),
                !replacing.contains(where: { $0.name == name })
            else { continue }
            fields.append((name, String(decoding: field.value, as: UTF8.self)))
        }
        var content = self.content
        content.method = method ?? content.method
        content.target = target ?? content.target
        content.headers = Headers(fields + replacing.filter { !$0.value.isEmpty })
        content.body = body ?? content.body
        content.connectionCache = nil
        content.number = 0
        return Request(content)
    }
}
