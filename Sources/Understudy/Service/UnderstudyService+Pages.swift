import BusinessLogic
import MicroHTTP

extension UnderstudyService {
    /// `POST /PAGE`: an event. Answers with the commands that it caused.
    ///
    /// This is the path that has to be fast: one asynchronous function, which waits for nothing but the controller, where
    /// the session is at hand and free.
    func post(_ request: Request, to page: Page, _ record: inout RequestRecord) async throws -> Response {
        record.page = page
        let event = try PostedEvent(request, to: page, cookieName: configuration.cookieName)
        record.event = page.index(of: event.declaration.event)
        let now = configuration.clock.now
        var found = event.client.id.flatMap { store.sessionAtHand($0, at: now) }
        if found == nil { found = try await find(event.client, at: now) }
        let newToken = found == nil ? SessionToken.random() : nil
        let session = found ?? newSession((newToken ?? .random()).id, at: now)
        record.session = newToken?.id ?? event.client.id

        if !session.turn.takeIfFree() { try await session.turn.take(limit: configuration.maximumWaitingEvents) }
        defer { session.turn.pass() }
        if let replayed = try event.replay(from: session.replies) { return replayed }
        session.identity.noteOrigin(of: request)
        let screen = try event.begin(in: session)
        defer { screen.forgetSecrets() }
        let start = session.history.sequence
        do {
            try await screen.controller.dispatchEvent(event.declaration.event)
        } catch {
            session.recorder?.note(event, in: session, since: start, failure: error)
            try await keep(error, of: event, in: session)
            throw error
        }
        session.recorder?.note(event, in: session, since: start)
        var response = Response(status: 200, contentType: .json)
        let token = session.identity.hasChanged ? try await renew(session, for: event.client, &response) : nil
        response.body = .answer(
            sequence: session.history.sequence,
            commands: session.history.current(since: start),
            token: token
        )
        event.keep(response, in: session)
        if let newToken {
            try await store.insert(session, at: now)
            response.headers.append(configuration.cookie(newToken))
        }
        if store.savesElsewhere { try await store.save(session) }
        return response
    }

    /// A session that has just started.
    func newSession(_ id: SessionID, at now: Timestamp) -> Session {
        let recorder = configuration.recording.map { SessionRecorder(id, in: $0, at: now, logger: logger) }
        return Session(id: id, now: now, recorder: recorder)
    }

    /// The client's session; `nil` where it has none and is to get one.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` where a bearer token is unknown or has expired.
    func find(_ client: Client, at now: Timestamp) async throws -> Session? {
        if let id = client.id, let session = try await store.find(id, at: now) { return session }
        if client.isBearer {
            throw Problem(
                .notAuthenticated,
                """
                There is no such session: the token is unknown or has expired, or a login has replaced it. \
                POST /session starts a new one.
                """
            )
        }
        return nil
    }

    /// Gives a session to which somebody has logged in another id, so that one that was known before is worth nothing.
    ///
    /// - Returns: the new token, where the client learns it from the answer's body.
    private func renew(
        _ session: Session,
        for client: Client,
        _ response: inout Response
    ) async throws -> SessionToken? {
        session.identity.hasChanged = false
        guard client != .unknown else { return nil }
        let token = SessionToken.random()
        try await store.rename(session, to: token.id)
        if client.isBearer { return token }
        response.headers.append(configuration.cookie(token))
        return nil
    }

    /// Keeps what an event that failed has left behind. It may have run in part: unless it said that it may be sent again,
    /// it must not run again for the same idempotency key.
    private func keep(_ error: any Error, of event: PostedEvent, in session: Session) async throws {
        if Problem(error) == nil {
            let answer = Problem(.internal).response(id: event.requestID, below: configuration.pathPrefix)
            event.keep(answer, in: session)
        }
        if store.savesElsewhere { try await store.save(session) }
    }

    /// `GET /PAGE`: what the screen shows now, and what it accepts. Starts no session.
    func show(_ page: Page, _ request: Request) async throws -> Response {
        let client = Client(request, cookieName: configuration.cookieName)
        guard let session = try await find(client, at: configuration.clock.now) else {
            return .json(page.description(sequence: 0, shown: nil))
        }
        return try await session.turn.perform(limit: configuration.maximumWaitingEvents) {
            .json(
                page.description(sequence: session.history.sequence, shown: session.existingScreen(of: page)?.recorder)
            )
        }
    }
}

/// An event that has been posted and may be handled, as far as can be said without its session.
///
/// A class, so that it is passed on through the asynchronous calls without being copied.
private final class PostedEvent {
    let page: Page
    let declaration: EventDeclaration
    let client: Client
    let values: Value.Object
    /// Names the request in logs and answers.
    let requestID: String
    private let key: String?
    private let body: [UInt8]

    /// - Throws: ``Problem``, or ``EventError``.
    init(_ request: Request, to page: Page, cookieName: StaticString) throws {
        let headers = request.headers
        self.page = page
        client = Client(request, cookieName: cookieName)
        key = try headers.idempotencyKey
        requestID = request.id
        body = request.body
        if headers.first("content-type", is: "application/json"), let plain = PlainSubmission(json: body, to: page) {
            declaration = plain.declaration
            values = plain.values
        } else {
            let submission = try Submission(headers: headers, body: body)
            declaration = try page.declaration(of: submission.event)
            values = try page.accept(submission, for: declaration)
        }
    }

    private var fingerprint: UInt32 { Replies.fingerprint(page: page.name, body: body) }

    /// Makes sure that every field that the event reads is there and of its kind, and fills the screen's fields.
    ///
    /// - Throws: ``EventError``; nothing has changed then.
    func begin(in session: Session) throws -> Session.Screen {
        let existing = session.existingScreen(of: page)
        for field in declaration.reads {
            guard let value = values[field.name] ?? existing?.recorder.getValue(field.name) else {
                throw EventError.missingField(field.name, fields: declaration.reads.map(\.name))
            }
            // The page's field may be optional for another event's sake.
            guard field.accepts(value) else {
                throw EventError.wrongFieldType(field.name, expected: field.kind, fields: declaration.reads.map(\.name))
            }
        }
        let screen = existing ?? session.add(page)
        screen.recorder.beginEvent()
        for (name, value) in values { screen.recorder.setValue(value, for: name) }
        return screen
    }

    /// The answer that was given to the same key before.
    func replay(from replies: Replies) throws -> Response? {
        guard let key, let reply = replies[key] else { return nil }
        guard reply.fingerprint == fingerprint else {
            throw Problem(.idempotencyKeyReused, "The key '\(key)' came with another body before.")
        }
        return Response(
            status: reply.status,
            contentType: reply.status == 200 ? .json : .problem,
            headers: [("Idempotency-Replayed", "true")],
            body: reply.body
        )
    }

    func keep(_ response: Response, in session: Session) {
        guard let key else { return }
        session.replies.append(
            Replies.Reply(key: key, fingerprint: fingerprint, status: response.status, body: response.body)
        )
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
                    "No event of this page reads a field '\(name)'.",
                    members: ["field": .string(name), "fields": .array(fields.map { .string($0.name) })]
                )
            }
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
            guard let key = first("idempotency-key") else { return nil }
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
    /// Commands as the wire format has them, with the session's last sequence number, and its token where that is new.
    static func answer(sequence: Int, commands: ArraySlice<CommandHistory.Entry>, token: SessionToken? = nil) -> [UInt8]
    {
        JSONWriter.bytes { writer in
            writer.raw("{\"sequence\":")
            writer.integer(sequence)
            writer.raw(",\"commands\":")
            writer.commands(commands)
            if let token {
                writer.raw(",\"token\":")
                writer.string(token.text)
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
