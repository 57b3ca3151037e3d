import BusinessLogic
import MicroHTTP

/// An event that has been posted and may be handled, as far as can be said without its session.
///
/// A class, so that it is passed on through the asynchronous calls without being copied.
final class PostedEvent: RequestOrigin {
    let page: Page
    /// The event's place in the page's events.
    let index: Int
    let credential: SessionCredential
    let values: Value.Object
    /// Names the request in logs and answers.
    let requestID: String
    private let key: String?
    private let cookieName: StaticString

    /// - Throws: ``Problem``, or ``EventError``.
    init(_ request: Request, to page: Page, cookieName: StaticString, deviceCookieName: StaticString) throws {
        let headers = request.headers
        self.page = page
        self.cookieName = cookieName
        credential = SessionCredential(request, cookieName: cookieName)
        key = try headers.idempotencyKey
        requestID = request.id
        let body = request.body
        if headers.first(.contentType, is: "application/json"), let fast = FastSubmission(json: body, to: page) {
            index = fast.index
            values = fast.values
        } else {
            let submission = try Submission(headers: headers, body: body)
            index = try page.index(of: submission.event)
            values = try page.accept(submission, for: page.events[index])
        }
        super.init(request: request, deviceCookieName: deviceCookieName)
    }

    private var fingerprint: UInt32 { IdempotencyCache.fingerprint(page: page.name, body: request.body) }

    // MARK: Idempotency

    /// The answer that was given to the same key before.
    func replay(from cache: IdempotencyCache) throws -> Response? {
        guard let key, let reply = cache[key] else { return nil }
        guard reply.fingerprint == fingerprint else { throw keyReused }
        return Response(
            status: reply.status,
            contentType: reply.status == 200 ? .json : .problem,
            headers: [("Idempotency-Replayed", "true")],
            body: reply.body
        )
    }

    /// The bytes that the session must have left for a response, and for the tokens that may be added to it.
    func storedSize(of response: Response) -> Int {
        key == nil ? 0 : response.body.count + 1024
    }

    func keep(_ response: Response, in session: Session) {
        guard let key else { return }
        session.replies.append(
            IdempotencyCache.Reply(key: key, fingerprint: fingerprint, status: response.status, body: response.body)
        )
    }

    /// A login's response for the client alone, which finds it by the token that the login replaces; `nil` without a key.
    func seal(_ response: Response) -> SealedResponse? {
        guard let key, let token = SessionCredential.token(in: request.headers, cookieName: cookieName) else {
            return nil
        }
        let content = SealedResponse.Content(
            status: response.status,
            headers: response.headers.map { [$0.name.description, $0.value] },
            body: response.body
        )
        return SealedResponse(content, token: token, key: key, request: sealedRequest)
    }

    /// The login's response, if this is the request that it was for; `nil` if the key is another one.
    ///
    /// - Throws: ``Problem`` `idempotencyKeyReused` if the key is the same, and the body is not.
    func open(_ sealed: SealedResponse?) throws -> Response? {
        guard let key, let sealed,
            let token = SessionCredential.token(in: request.headers, cookieName: cookieName)
        else { return nil }
        do throws(SealedResponse.Mismatch) {
            let content = try sealed.open(token: token, key: key, request: sealedRequest)
            let headers = content.headers.compactMap { field in
                field.count == 2 ? HeaderName(field[0]).map { (name: $0, value: field[1]) } : nil
            }
            return Response(
                status: content.status,
                contentType: .json,
                headers: headers + [("Idempotency-Replayed", "true")],
                body: content.body
            )
        } catch {
            switch error {
            case .otherKey: return nil
            case .otherRequest: throw keyReused
            }
        }
    }

    private var sealedRequest: [UInt8] { Array(page.name.utf8) + [0] + request.body }

    private var keyReused: Problem {
        Problem(.idempotencyKeyReused, "The key '\((key ?? "").clipped)' came with another body before.")
    }
}

extension SessionRecorder {
    /// Records an event that has been handled.
    func note(
        _ event: PostedEvent,
        in session: Session,
        since start: Int,
        failure: (any Error)? = nil
    ) {
        note(
            event.page.events[event.index].event,
            on: event.page,
            values: event.values,
            commands: session.history.current(since: start),
            failure: failure
        )
    }
}

extension Headers {
    /// The idempotency key, where there is one.
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
    fileprivate static var idempotencyKey: HeaderName {
        HeaderName(constant: "Idempotency-Key", lowercase: "idempotency-key")
    }
}
