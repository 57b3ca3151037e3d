import Addresses
import BusinessLogic
import MicroHTTP

extension UnderstudyService {
    /// `POST /PAGE`: an event. The response has the commands that it caused.
    ///
    /// This is the path that must be fast: one asynchronous function, which waits for nothing but the controller if the
    /// session is at hand and free.
    func post(_ request: Request, to page: Page, _ record: inout RequestRecord) async throws -> Response {
        record.page = page
        let event = try PostedEvent(
            request,
            to: page,
            cookieName: configuration.cookieName,
            deviceCookieName: configuration.deviceCookieName
        )
        record.event = page.index(of: event.declaration.event)
        let now = configuration.clock.now
        var found = event.client.id.flatMap { store.sessionAtHand($0, at: now) }
        if found == nil {
            if let response = try await repeatLogin(event, at: now) { return response }
            found = try await find(event.client, at: now)
        }
        let newToken = found == nil ? SessionToken.random() : nil
        let session = found ?? newSession((newToken ?? .random()).id, for: request, at: now)
        record.session = newToken?.id ?? event.client.id

        if !session.lock.acquireIfFree() { try await session.lock.acquire(limit: configuration.maximumWaitingEvents) }
        defer {
            session.identity.origin = nil
            session.lock.release()
        }
        if found != nil, !session.isCurrent(for: event.client) {
            if let response = try await repeatLogin(event, at: now) { return response }
            throw Problem.sessionHasChanged
        }
        if let replayed = try event.replay(from: session.replies) { return replayed }
        // Before the controller looks at any account.
        let endings = store.lastEnding
        let transaction = try event.begin(in: session)
        do {
            try await transaction.screen.controller.dispatchEvent(event.declaration.event)
        } catch {
            transaction.rollBack()
            session.recorder?.note(event, in: session, since: transaction.start, failure: error)
            try await keep(error, of: event, in: session)
            throw error
        }
        var response = Response(status: 200, contentType: .json)
        response.body = .answer(sequence: session.history.sequence, commands: transaction.commands)
        do throws(Problem) {
            try transaction.commit(limit: configuration.sessions.maximumSize, reserve: event.storedSize(of: response))
        } catch {
            session.recorder?.forgetAnswers()
            throw error
        }
        session.recorder?.note(event, in: session, since: transaction.start)
        var renewal: SessionToken?
        if session.identity.hasChanged {
            renewal = try await changeTokens(of: event, in: session, newToken, transaction, &response)
        } else if let newToken {
            response.headers.append(configuration.cookie(newToken))
        }
        event.keep(response, in: session)
        let size = session.trimmedSize(maximum: configuration.sessions.maximumSize)
        if newToken == nil, renewal == nil {
            if size != session.links.size { store.resize(session, to: size) }
        } else {
            try await settle(session, size, event, response, renewal, at: now, endings: endings)
        }
        if store.savesElsewhere { try await store.save(session) }
        return response
    }

    /// Adds to the response of a login or logout the tokens that the client gets. A session that was known before gets
    /// another one, so that the old one is invalid; a device gets one on which a user has logged in.
    ///
    /// - Returns: the session's new token, unless the session is new itself.
    private func changeTokens(
        of event: PostedEvent,
        in session: Session,
        _ newToken: SessionToken?,
        _ transaction: EventTransaction,
        _ response: inout Response
    ) async throws -> SessionToken? {
        session.identity.commitEvent()
        var deviceToken: String?
        if let user = session.identity.user, let issue = configuration.issueDeviceToken {
            // The login has succeeded, whether the device can be remembered or not.
            deviceToken = try? await issue(user, session.identity.client)
        }
        let token = newToken ?? SessionToken.random()
        if event.client.isBearer {
            response.body = .answer(
                sequence: session.history.sequence,
                commands: transaction.commands,
                token: token,
                deviceToken: deviceToken
            )
        } else {
            response.headers.append(configuration.cookie(token))
            if let deviceToken { response.headers.append(configuration.deviceCookie(deviceToken)) }
        }
        return newToken == nil ? token : nil
    }

    /// Keeps a new session, or gives a session another id.
    ///
    /// - Parameter size: the bytes for which the session counts.
    /// - Throws: ``Problem`` `notAuthenticated` if the session has ended meanwhile, or the sessions of its user were ended.
    private func settle(
        _ session: Session,
        _ size: Int,
        _ event: PostedEvent,
        _ response: Response,
        _ renewal: SessionToken?,
        at now: Timestamp,
        endings: UInt64
    ) async throws {
        let isKept: Bool
        if let renewal {
            store.resize(session, to: size)
            let sealed = event.seal(response)
            isKept = try await store.rename(session, to: renewal.id, response: sealed, at: now, endings: endings)
        } else {
            session.links.size = size
            isKept = try await store.insert(session, at: now, endings: endings)
        }
        guard isKept else { throw Problem.sessionHasChanged }
    }

    /// The response of a login that the client has not received: it comes with the token that the login has replaced, and
    /// with the same idempotency key and body.
    ///
    /// - Throws: ``Problem`` if the token was replaced, and the request is another one.
    private func repeatLogin(_ event: PostedEvent, at now: Timestamp) async throws -> Response? {
        guard let id = event.client.id, let replaced = try await store.replacedSession(id, at: now) else { return nil }
        guard let response = try event.open(replaced.response) else { throw Problem.sessionHasChanged }
        return response
    }

    /// A session that has just started.
    func newSession(_ id: SessionID, for request: Request, at now: Timestamp) -> Session {
        let recorder = configuration.recording.map { SessionRecorder(id, in: $0, at: now, logger: logger) }
        return Session(id: id, now: now, address: countedAddress(of: request), recorder: recorder)
    }

    /// The address by which a session counts; `nil` for this machine's own addresses, unless these are limited.
    private func countedAddress(of request: Request) -> IPAddress? {
        guard let address = request.clientAddress else { return nil }
        let isExempt = address.isLoopback && !request.isForwarded && !configuration.limitsLoopback
        return isExempt ? nil : address.rateLimitPrefix
    }

    /// The client's session; `nil` if it has none and is to get one.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if a bearer token is unknown or has expired, or a login has replaced the id.
    func find(_ client: SessionCredential, at now: Timestamp) async throws -> Session? {
        guard let id = client.id else {
            if client.isBearer { throw Problem.unknownToken }
            return nil
        }
        if let session = try await store.find(id, at: now) { return session }
        if client.isBearer { throw Problem.unknownToken }
        if try await store.replacedSession(id, at: now) != nil { throw Problem.sessionHasChanged }
        return nil
    }

    /// Keeps what an event that failed has left behind. Its effects elsewhere may remain: unless it said that it may be sent
    /// again, it must not run again for the same idempotency key.
    private func keep(_ error: any Error, of event: PostedEvent, in session: Session) async throws {
        if Problem(error) == nil {
            let answer = Problem(.internal).response(id: event.requestID, below: configuration.pathPrefix)
            event.keep(answer, in: session)
        }
        if store.savesElsewhere { try await store.save(session) }
    }

    /// `GET /PAGE`: what the screen shows now, and what it accepts. Starts no session.
    func show(_ page: Page, _ request: Request) async throws -> Response {
        let client = SessionCredential(request, cookieName: configuration.cookieName)
        guard let session = try await find(client, at: configuration.clock.now) else {
            return .json(page.description(sequence: 0, shown: nil))
        }
        return try await perform(in: session, of: client) {
            .json(
                page.description(sequence: session.history.sequence, shown: session.existingScreen(of: page)?.recorder)
            )
        }
    }

    /// Does `body` in the session's turn.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` if the session has ended or got another id before its turn came.
    func perform(
        in session: Session,
        of client: SessionCredential,
        _ body: () async throws -> Response
    ) async throws -> Response {
        try await session.lock.withLock(limit: configuration.maximumWaitingEvents) {
            guard session.isCurrent(for: client) else { throw Problem.sessionHasChanged }
            return try await body()
        }
    }
}

extension Session {
    /// Whether the session goes on, and under the id that the client knows: both may have changed since it was found.
    fileprivate func isCurrent(for client: SessionCredential) -> Bool {
        !hasEnded && links.id == client.id
    }
}

extension Problem {
    /// The session ended or got another id while the request waited for it, or less than a minute before.
    static let sessionHasChanged = Problem(
        .notAuthenticated,
        """
        The session has ended, or a login has given it another token. Send the request again with the token or cookie that \
        the login's response contains, or start a new session with POST /session.
        """
    )

    static let unknownToken = Problem(
        .notAuthenticated,
        """
        There is no such session: the token is unknown or has expired, or a login has replaced it. \
        POST /session starts a new one.
        """
    )
}

/// An event that has been posted and may be handled, as far as can be said without its session.
///
/// A class, so that it is passed on through the asynchronous calls without being copied.
private final class PostedEvent: RequestOrigin {
    let page: Page
    let declaration: EventDeclaration
    let client: SessionCredential
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
        client = SessionCredential(request, cookieName: cookieName)
        key = try headers.idempotencyKey
        requestID = request.id
        let body = request.body
        if headers.first(.contentType, is: "application/json"), let plain = FastSubmission(json: body, to: page) {
            declaration = plain.declaration
            values = plain.values
        } else {
            let submission = try Submission(headers: headers, body: body)
            declaration = try page.declaration(of: submission.event)
            values = try page.accept(submission, for: declaration)
        }
        super.init(request: request, deviceCookieName: deviceCookieName)
    }

    private var fingerprint: UInt32 { IdempotencyCache.fingerprint(page: page.name, body: request.body) }

    /// Makes sure that every field that the event reads is there, of its kind and not too long, and begins the event.
    ///
    /// - Throws: ``EventError``; nothing has changed then.
    func begin(in session: Session) throws -> EventTransaction {
        let existing = session.existingScreen(of: page)
        // The page's field may be optional, or longer, for another event's sake.
        try declaration.requireFields { values[$0] ?? existing?.recorder.getValue($0) }
        return EventTransaction(on: page, existing, of: session, values: values, origin: self)
    }

    // MARK: Idempotency

    /// The answer that was given to the same key before.
    func replay(from replies: IdempotencyCache) throws -> Response? {
        guard let key, let reply = replies[key] else { return nil }
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
    fileprivate func note(
        _ event: PostedEvent,
        in session: Session,
        since start: Int,
        failure: (any Error)? = nil
    ) {
        note(
            event.declaration.event,
            on: event.page,
            values: event.values,
            commands: session.history.current(since: start),
            failure: failure
        )
    }
}

extension Page {
    /// The values as the page's fields take them. A form knows texts only: numbers and truth values are read from them.
    ///
    /// - Throws: ``Problem`` where a field is not the page's; ``/BusinessLogic/EventError`` where its value is of another
    ///   kind.
    fileprivate func accept(_ submission: Submission, for declaration: EventDeclaration) throws -> Value.Object {
        var accepted = submission.values
        for (name, value) in submission.values {
            guard let field = field(name) else {
                throw Problem(
                    .unknownField,
                    "No event of this page reads a field '\(name.clipped)'.",
                    members: ["field": .string(name.clipped), "fields": .array(fields.map { .string($0.name) })]
                )
            }
            if field.isTooLong(value) { throw EventError.valueTooLong(field.name, maximum: field.maximumLength) }
            if field.accepts(value) { continue }
            guard submission.isForm, let text = value.string, let converted = field.value(of: text) else {
                throw EventError.wrongFieldType(name, expected: field.kind, fields: declaration.reads.map(\.name))
            }
            accepted[name] = converted
        }
        return accepted
    }

    /// What `GET /PAGE` answers.
    func description(sequence: Int, shown: ResponseRecorder?) -> Value {
        [
            "page": .string(name),
            "sequence": Value(sequence),
            "rendered": .object(shown?.rendered ?? [:]),
            "alert": shown?.alert.map(\.value) ?? .null,
            "goToPage": shown?.destination.map { destination in
                destination.values.isEmpty
                    ? ["name": .string(destination.name)]
                    : ["name": .string(destination.name), "values": .object(destination.values)]
            } ?? .null,
            "values": .object(shown?.values ?? [:]),
            "events": .array(events.map(\.value)),
        ]
    }
}

extension Field {
    /// What a text in a form says, where the field holds a number or a truth value.
    fileprivate func value(of text: String) -> Value? {
        switch kind {
        case .string: nil
        case .boolean: text == "true" ? true : text == "false" ? false : nil
        case .number:
            (try? JSONReader.read(Array(text.utf8))).flatMap { if case .number = $0 { $0 } else { nil } }
        }
    }
}

extension EventDeclaration {
    fileprivate var value: Value {
        [
            "event": .string(event.name),
            "default": .boolean(isDefault),
            "reads": .array(reads.map { .string($0.name) }),
            "secret": .array(reads.filter(\.isSecret).map { .string($0.name) }),
        ]
    }
}

extension Message {
    fileprivate var value: Value {
        var value: Value.Object = ["message": .string(text), "code": .string(code)]
        if !parameters.isEmpty { value["parameters"] = .object(parameters) }
        return .object(value)
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

extension Response {
    /// A value as JSON.
    static func json(_ value: Value, status: Int = 200) -> Response {
        Response(status: status, contentType: .json, body: value.json)
    }
}

extension Session.Screen {
    /// Forgets the secrets that were entered.
    func forgetSecrets() {
        for secret in page.secrets { recorder.setValue(nil, for: secret) }
    }
}

extension [UInt8] {
    /// Commands as the wire format has them, with the session's last sequence number, and the tokens that are new.
    static func answer(
        sequence: Int,
        commands: ArraySlice<CommandHistory.Entry>,
        token: SessionToken? = nil,
        deviceToken: String? = nil
    ) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.raw("{\"sequence\":")
            writer.integer(sequence)
            writer.raw(",\"commands\":")
            writer.commands(commands)
            if let token {
                writer.raw(",\"token\":")
                writer.string(token.text)
            }
            if let deviceToken {
                writer.raw(",\"deviceToken\":")
                writer.string(deviceToken)
            }
            writer.raw("}\n")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func commands(_ entries: ArraySlice<CommandHistory.Entry>) {
        array(entries) { writer, entry in
            writer.raw("{\"sequence\":")
            writer.integer(entry.sequence)
            writer.raw(",\"page\":\"")
            writer.text(entry.page)
            switch entry.command {
            case .render(let key, let value, let message):
                writer.raw("\",\"command\":\"render\",\"key\":\"")
                writer.text(key)
                writer.raw("\",\"value\":")
                writer.value(value)
                if let message { writer.code(of: message) }
            case .showAlert(let message):
                writer.raw("\",\"command\":\"showAlert\",\"message\":")
                writer.string(message.text)
                writer.code(of: message)
            case .goToPage(let name, let values):
                writer.raw("\",\"command\":\"goToPage\",\"name\":")
                writer.string(name)
                if !values.isEmpty {
                    writer.raw(",\"values\":")
                    writer.object(values)
                }
            }
            writer.raw("}")
        }
    }

    private mutating func code(of message: Message) {
        raw(",\"code\":")
        string(message.code)
        if !message.parameters.isEmpty {
            raw(",\"parameters\":")
            object(message.parameters)
        }
    }
}

extension HeaderName {
    fileprivate static var idempotencyKey: HeaderName { HeaderName(constant: "Idempotency-Key") }
}
