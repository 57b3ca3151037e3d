package import BusinessLogic
package import HTTPMessages
package import UnderstudyPages

/// A posted event, with the checks that need no session.
// A class, so that the asynchronous calls that run it pass a reference instead of copying its properties.
package final class PostedEvent: RequestOrigin {
    package let page: Page
    package let credential: SessionCredential
    package let key: String?
    package let preference: ReturnPreference?
    package let index: Int
    package let values: Value.Object
    /// What is wrong with values that are not among ``values``, and where the values are in the body.
    package let faults: FieldFaults
    private let cookieName: StaticString
    /// Sends the response while the event runs; `nil` if the client does not ask for a stream.
    package let stream: EventStream?
    /// The stream of the event that has led to this one; `nil` without a stream.
    package var precedingStream: EventStream?

    /// Reads an event that has passed the check of its origin. The languages are `nil` if the service has no translations.
    package init(
        _ request: Request,
        to page: Page,
        cookieName: StaticString,
        deviceCookieName: StaticString,
        languages: Languages?
    ) throws {
        let (headers, body) = (request.headers, request.body)
        self.page = page
        key = try headers.idempotencyKey
        self.cookieName = cookieName
        credential = SessionCredential(request, cookieName: cookieName)
        preference = headers.returnPreference
        stream =
            headers.prefersMedia("text/event-stream")
            ? EventStream(request, lastEventID: try headers.lastEventID) : nil
        if headers.first(.contentType, is: "application/json"), let fast = FastSubmission(json: body, to: page) {
            index = fast.index
            values = fast.values
            faults = fast.hasEnvelope ? .belowValues : .none
        } else if headers.first(.contentType, is: "application/x-www-form-urlencoded"),
            let fast = FastForm(body, to: page)
        {
            index = fast.index
            values = fast.values
            faults = .none
        } else {
            let submission = try Submission(headers: headers, body: body)
            index = try page.index(of: submission.event)
            (values, faults) = try page.accept(submission, for: page.events[index])
        }
        super.init(request: request, deviceCookieName: deviceCookieName, languages: languages)
    }

    /// Whether the event may log a user in or out, as far as is known before it runs.
    package func mayChangeUser(in session: Session) -> Bool {
        guard page.changesUser ?? session.existingScreen(of: page)?.mayChangeUser ?? true else { return false }
        return !page.events[index].isSafe
    }

    /// Of a request with a session and an idempotency key, the hash of both. Otherwise, a client cannot repeat the request.
    override var idempotencyKey: String? { knownIdempotencyKey }

    override var sessionID: SessionID? { credential.id }

    private lazy var knownIdempotencyKey: String = {
        guard let key, let session = credential.id else { return SessionToken.random().text }
        return SessionToken.hash(session.bytes + Array(key.utf8))
    }()

    private var fingerprint: UInt32 { IdempotencyCache.fingerprint(page: page.name, body: request.body) }

    /// Checks that the session has the user whom the request names in `Session-User`. Otherwise, an event of a page that a user has opened
    /// would run without a user, or for another one, once the session has ended.
    package func requireUser(_ user: @autoclosure () -> User?) throws(Problem) {
        guard let expected = request.headers.sessionUser else { return }
        guard user()?.username.percentEncoded(unless: \.isUnreservedInURI) == expected else { throw .otherUser }
    }

    // MARK: Idempotency

    /// The stored response to an earlier request with the same key; `nil` if there is no such request.
    ///
    /// - Throws: ``Problem`` `idempotencyKeyReused` if that request had another body or page; `notAuthenticated` if the response
    ///   contains a token that a later login has replaced.
    package func storedResponse(from cache: IdempotencyCache) throws -> Response? {
        guard let key, let entry = cache[key] else { return nil }
        guard entry.fingerprint == fingerprint else { throw keyReused }
        switch entry.content {
        case .sealed(let sealed):
            guard let opened = try open(sealed) else { throw Problem.sessionHasChanged }
            return opened.response
        case .plain(let stored):
            var headers: [HeaderField] = [("Idempotency-Replayed", "true")]
            if let language = stored.language { headers += [(.vary, "Accept-Language"), (.contentLanguage, language)] }
            var response = Response(
                status: stored.status,
                contentType: stored.status == 200 ? .json : .problem,
                headers: headers,
                body: stored.body
            )
            if let preference = stored.preference { response.headers.append(preference.applied) }
            return response
        }
    }

    /// The bytes that storing a response needs, including the tokens that may be added to it.
    package func storedSize(ofBody body: [UInt8]) -> Int { key == nil ? 0 : body.count + 1024 }

    /// Stores the response for the request's idempotency key, if it has one. If the response contains a secret, the session's token seals it, so that
    /// only the client can read it.
    package func store(_ response: Response, in session: Session, sealedWith token: SessionToken? = nil) {
        guard let key else { return }
        let content: IdempotencyCache.Content
        if let token {
            guard let sealed = seal(response, with: token) else { return }
            content = .sealed(sealed)
        } else {
            content = .plain(
                IdempotencyCache.PlainResponse(
                    status: response.status,
                    language: response.common == nil ? nil : language?.tag,
                    body: response.body,
                    preference: response.status == 200 ? preference : nil
                )
            )
        }
        session.idempotencyCache.append(IdempotencyCache.Entry(key: key, fingerprint: fingerprint, content: content))
    }

    /// Encrypts a login's response with the token that the login replaces, so that only the client that sent the login can read it. `session` is the
    /// new ID. Returns `nil` if the request has no idempotency key or no token.
    package func seal(_ response: Response, of session: SessionID?) -> SealedResponse? {
        token.flatMap { seal(response, with: $0, session) }
    }

    package var token: SessionToken? { SessionCredential.token(in: request.headers, cookieName: cookieName) }

    private func seal(_ response: Response, with token: SessionToken, _ session: SessionID? = nil) -> SealedResponse? {
        guard let key else { return nil }
        let texts = (response.common?.fields ?? []).filter { $0.name == .vary || $0.name == .contentLanguage }
        let content = SealedResponse.Content(
            status: response.status,
            headers: (response.headers + texts).map { [$0.name.description, $0.value] },
            body: response.body,
            session: session?.bytes
        )
        return SealedResponse(content, token: token, key: key, request: sealedRequest)
    }

    /// The login's response, if this request repeats the login, with the ID of the session whose token it contains; `nil` if its token or
    /// idempotency key is another one.
    ///
    /// - Throws: ``Problem`` `idempotencyKeyReused` if the key is the same, but the body is not.
    package func open(_ sealed: SealedResponse?) throws -> (response: Response, session: SessionID?)? {
        guard let key, let sealed, let token else { return nil }
        do throws(SealedResponse.Mismatch) {
            let content = try sealed.open(token: token, key: key, request: sealedRequest)
            let headers = content.headers.compactMap { field in
                field.count == 2 ? HeaderName(field[0]).map { (name: $0, value: field[1]) } : nil
            }
            let response = Response(
                status: content.status,
                contentType: .json,
                headers: headers + [("Idempotency-Replayed", "true")],
                body: content.body
            )
            return (response, content.session.flatMap(SessionID.init(bytes:)))
        } catch {
            switch error {
            case .otherKey: return nil
            case .otherRequest: throw keyReused
            }
        }
    }

    private var sealedRequest: [UInt8] { Array(page.name.utf8) + [0] + request.body }

    private var keyReused: Problem {
        Problem(
            .idempotencyKeyReused,
            "The key '\((key ?? "").clipped)' was used for a request with another body or page."
        )
    }
}

extension HeaderName {
    static var contentLanguage: HeaderName { HeaderName(constant: "Content-Language", lowercase: "content-language") }
}
