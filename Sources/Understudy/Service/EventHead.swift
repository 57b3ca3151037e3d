import MicroHTTP

/// The content of a posted event's head: of its request line and its headers.
///
/// A class, because its connection stores it for the next events with the same head.
final class EventHead: Sendable {
    /// How the body is encoded.
    enum BodyFormat: Sendable {
        case json, form
        /// Another format, or one of these in unusual words.
        case other
    }

    let page: Page
    let credential: SessionCredential
    /// The idempotency key, if the request contains one.
    let key: String?
    /// Whether the client wants no commands in the response: `Prefer: return=minimal` (RFC 7240).
    let wantsMinimal: Bool
    let format: BodyFormat
    /// Whether the client wants to receive commands while the event runs: `Accept: text/event-stream`.
    let wantsStream: Bool
    /// The number of the head on its connection; `nil` if the connection does not recognise it when it arrives again.
    fileprivate let number: Int?
    /// The service that has checked the origin. An embedder may pass the requests of a connection to several services.
    fileprivate let service: UnderstudyService

    /// - Throws: ``Problem`` `invalidParameter` if the idempotency key is invalid.
    fileprivate init(_ request: Request, to page: Page, of service: UnderstudyService) throws(Problem) {
        let headers = request.headers
        key = try headers.idempotencyKey
        self.page = page
        credential = SessionCredential(request, cookieName: service.configuration.cookieName)
        number = request.repeatedHead
        self.service = service
        wantsMinimal = headers.prefersMinimal
        wantsStream = headers.prefersMedia("text/event-stream")
        if headers.first(.contentType, is: "application/json") {
            format = .json
        } else {
            format = headers.first(.contentType, is: "application/x-www-form-urlencoded") ? .form : .other
        }
    }
}

extension UnderstudyService {
    /// The content of the head, if the connection's last event had the same head and passed the check of its origin, which needs only the
    /// head.
    func knownEventHead(of request: Request) -> EventHead? {
        guard let number = request.repeatedHead, let known = request.connectionCache?.content as? EventHead,
            known.number == number, known.service === self
        else { return nil }
        return known
    }

    /// The page to which the request sends an event; `nil` if the request is no event.
    func postedPage(of request: Request) -> Page? {
        request.method == .post ? pages[path: request.target] : nil
    }

    /// Reads the head of an event that has passed the check of its origin.
    ///
    /// - Throws: ``Problem`` `invalidParameter`.
    func readEventHead(of request: Request, to page: Page) throws(Problem) -> EventHead {
        let head = try EventHead(request, to: page, of: self)
        if head.number != nil, let cache = request.connectionCache { cache.content = head }
        return head
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
