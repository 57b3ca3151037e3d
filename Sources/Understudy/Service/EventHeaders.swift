import MicroHTTP

/// What the headers of a posted event say.
struct EventHeaders {
    /// How the body is encoded.
    enum BodyFormat {
        case json, form
        /// Another format, or one of these in unusual words.
        case other
    }

    let credential: SessionCredential
    /// The idempotency key, if the request contains one.
    let key: String?
    /// Whether the client wants no commands in the response: `Prefer: return=minimal` (RFC 7240).
    let wantsMinimal: Bool
    let format: BodyFormat
    /// Whether the client wants to receive commands while the event runs: `Accept: text/event-stream`.
    let wantsStream: Bool

    /// - Throws: ``Problem`` `invalidParameter` if the idempotency key is invalid.
    init(_ request: Request, cookieName: StaticString) throws(Problem) {
        let headers = request.headers
        credential = SessionCredential(request, cookieName: cookieName)
        key = try headers.idempotencyKey
        wantsMinimal = headers.prefersMinimal
        wantsStream = headers.prefersMedia("text/event-stream")
        if headers.first(.contentType, is: "application/json") {
            format = .json
        } else {
            format = headers.first(.contentType, is: "application/x-www-form-urlencoded") ? .form : .other
        }
    }
}

/// The headers of an event whose head its client has sent before, and may send again.
private final class KnownEventHeaders: Sendable {
    let headers: EventHeaders
    /// The number of the head on its connection.
    let head: Int
    /// The service that has checked the origin. An embedder may pass the requests of a connection to several services.
    let service: ObjectIdentifier

    init(_ headers: EventHeaders, head: Int, service: ObjectIdentifier) {
        self.headers = headers
        self.head = head
        self.service = service
    }
}

extension UnderstudyService {
    /// What the headers say, if the connection's last event had the same head and passed the check of its origin, which needs only the
    /// head.
    func knownEventHeaders(of request: Request) -> EventHeaders? {
        guard let head = request.repeatedHead, let known = request.connectionCache?.content as? KnownEventHeaders,
            known.head == head, known.service == ObjectIdentifier(self)
        else { return nil }
        return known.headers
    }

    /// Reads the headers of an event that has passed the check of its origin.
    ///
    /// - Throws: ``Problem`` `invalidParameter`.
    func eventHeaders(of request: Request) throws(Problem) -> EventHeaders {
        let headers = try EventHeaders(request, cookieName: configuration.cookieName)
        if let head = request.repeatedHead, let cache = request.connectionCache {
            cache.content = KnownEventHeaders(headers, head: head, service: ObjectIdentifier(self))
        }
        return headers
    }
}

extension Headers {
    /// Whether a header `Prefer` contains the preference `return=minimal` (RFC 7240, section 4.2).
    fileprivate var prefersMinimal: Bool {
        guard first(.prefer) != nil else { return false }
        return values(.prefer).contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { preference in
                let name = preference.prefix { $0 != UInt8(ascii: ";") }
                let text = String(decoding: name, as: UTF8.self).filter { $0 != " " && $0 != "\t" && $0 != "\"" }
                return text.lowercased() == "return=minimal"
            }
        }
    }

    /// The number of the last command that a client has received that continues a stream; `nil` if the request does not contain it.
    ///
    /// - Throws: ``Problem`` `invalidParameter`.
    var lastEventID: Int? {
        get throws(Problem) {
            guard let id = self[.lastEventID], !id.isEmpty else { return nil }
            guard let sequence = UInt32(id), id.utf8.first != UInt8(ascii: "+") else {
                throw Problem(
                    .invalidParameter,
                    "The Last-Event-ID is the number of the last command that has arrived."
                )
            }
            return Int(sequence)
        }
    }

    /// The idempotency key, if the request contains one.
    fileprivate var idempotencyKey: String? {
        get throws(Problem) {
            guard let key = first(.idempotencyKey) else { return nil }
            guard (1...255).contains(key.count), key.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw Problem(.invalidParameter, "An Idempotency-Key is 1 to 255 printable ASCII characters.")
            }
            return String(decoding: key, as: UTF8.self)
        }
    }
}

extension HeaderName {
    fileprivate static var prefer: HeaderName { HeaderName(constant: "Prefer", lowercase: "prefer") }

    fileprivate static var lastEventID: HeaderName {
        HeaderName(constant: "Last-Event-ID", lowercase: "last-event-id")
    }

    fileprivate static var idempotencyKey: HeaderName {
        HeaderName(constant: "Idempotency-Key", lowercase: "idempotency-key")
    }
}
