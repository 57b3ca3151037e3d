import BusinessLogic
import MicroHTTP

extension UnderstudyService {
    /// `POST /PAGE`: an event. Answers with the commands that it caused.
    func post(_ request: Request, to page: Page) async throws -> Response {
        try request.requireSameSite()
        let key = try idempotencyKey(of: request)
        let submission = try Submission(request)
        let declaration = try page.declaration(of: submission.event)
        let values = try page.accept(submission.values, isForm: request.isForm)
        let event = PostedEvent(page: page, declaration: declaration, values: values, key: key, body: request.body)

        let client = Client(request.headers, cookieName: configuration.cookieName)
        let now = configuration.clock.now
        if let session = try await find(client, at: now) {
            return try await session.turn.perform(limit: configuration.maximumWaitingEvents) {
                try await handle(event, in: session, of: client)
            }
        }
        let session = Session(id: .random(), now: now)
        var response = try await session.turn.perform(limit: 0) { try await handle(event, in: session, of: .unknown) }
        try await store.insert(session, at: now)
        response.headers.append(configuration.cookie(session.links.id))
        return response
    }

    /// The client's session; `nil` where it has none and is to get one.
    ///
    /// - Throws: ``Problem`` `notAuthenticated` where a bearer token is unknown or has expired.
    func find(_ client: Client, at now: Timestamp) async throws -> Session? {
        if let id = client.id, let session = try await store.find(id, at: now) { return session }
        if client.isBearer {
            throw Problem(
                .notAuthenticated,
                "The session token is unknown or has expired; POST /session gives a new one."
            )
        }
        return nil
    }

    /// Handles an event in its session's turn.
    private func handle(_ event: PostedEvent, in session: Session, of client: Client) async throws -> Response {
        if let replayed = try event.replay(from: session.replies) { return replayed }
        let screen = session.existingScreen(of: event.page)
        try event.requireFields(kept: screen?.recorder.values ?? [:])
        let recorder = (screen ?? session.screen(of: event.page)).recorder
        let start = session.history.sequence
        for (name, value) in event.values { recorder.setValue(value, for: name) }
        defer { for secret in event.page.secrets { recorder.setValue(nil, for: secret) } }
        do {
            try await recorder.dispatchEvent(event.declaration.event)
        } catch {
            // The event may have run in part: it must not run again for the same key.
            if Problem(error) == nil { event.keep(Problem(.internal).response(id: ""), in: session) }
            try await store.save(session)
            throw error
        }
        let response = try await answer(event, start: start, session: session, client: client)
        event.keep(response, in: session)
        try await store.save(session)
        return response
    }

    /// The answer to an event that has been handled; with a new id for the session where somebody has logged in, so that
    /// an id that was known before is worth nothing.
    private func answer(
        _ event: PostedEvent,
        start: Int,
        session: Session,
        client: Client
    ) async throws -> Response {
        var headers = [(name: "Content-Type", value: "application/json")]
        var token: SessionID?
        if session.identity.hasChanged {
            session.identity.hasChanged = false
            if client != .unknown {
                let id = SessionID.random()
                try await store.rename(session, to: id)
                if client.isBearer { token = id } else { headers.append(configuration.cookie(id)) }
            }
        }
        var writer = JSONWriter()
        writer.raw("{\"sequence\":")
        writer.integer(session.history.sequence)
        writer.raw(",\"commands\":")
        writer.commands(session.history.current(since: start))
        if let token {
            writer.raw(",\"token\":")
            writer.string(token.text)
        }
        writer.raw("}\n")
        return Response(status: 200, headers: headers, body: writer.bytes)
    }

    /// `GET /PAGE`: what the screen shows now, and what it accepts. Starts no session.
    func show(_ page: Page, _ request: Request) async throws -> Response {
        let client = Client(request.headers, cookieName: configuration.cookieName)
        guard let session = try await find(client, at: configuration.clock.now) else {
            return .json(page.description(sequence: 0, shown: nil))
        }
        return try await session.turn.perform(limit: configuration.maximumWaitingEvents) {
            .json(
                page.description(sequence: session.history.sequence, shown: session.existingScreen(of: page)?.recorder)
            )
        }
    }

    /// The request's idempotency key, where it has one.
    private func idempotencyKey(of request: Request) throws(Problem) -> String? {
        guard let key = request.headers.first("idempotency-key") else { return nil }
        guard (1...255).contains(key.count), key.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw Problem(.invalidParameter, "An Idempotency-Key is 1 to 255 printable ASCII characters.")
        }
        return String(decoding: key, as: UTF8.self)
    }
}

/// An event that has been posted and may be handled, as far as can be said without its session.
private struct PostedEvent {
    let page: Page
    let declaration: EventDeclaration
    let values: Value.Object
    let key: String?
    let body: [UInt8]

    private var fingerprint: UInt32 { Replies.fingerprint(page: page.name, body: body) }

    /// Makes sure that every field that the event reads is there.
    func requireFields(kept: Value.Object) throws {
        for field in declaration.reads where values[field.name] == nil && kept[field.name] == nil {
            throw EventError.missingField(field.name, fields: declaration.reads.map(\.name))
        }
    }

    /// The answer that was given to the same key before.
    func replay(from replies: Replies) throws -> Response? {
        guard let key, let reply = replies[key] else { return nil }
        guard reply.fingerprint == fingerprint else {
            throw Problem(.idempotencyKeyReused, "The key '\(key)' came with another body before.")
        }
        let type = reply.status == 200 ? "application/json" : "application/problem+json"
        return Response(
            status: reply.status,
            headers: [("Content-Type", type), ("Idempotency-Replayed", "true")],
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

extension Page {
    /// The values as the page's fields take them. A form knows texts only: numbers and truth values are read from them.
    ///
    /// - Throws: ``Problem`` where a field is not the page's, or its value is of another kind.
    fileprivate func accept(_ values: Value.Object, isForm: Bool) throws -> Value.Object {
        var accepted = values
        for (name, value) in values {
            guard let field = field(name) else {
                throw Problem(
                    .unknownField,
                    "No event of this page reads a field '\(name)'.",
                    members: ["field": .string(name), "fields": .array(fields.map { .string($0.name) })]
                )
            }
            if field.accepts(value) { continue }
            guard isForm, let text = value.string, let converted = field.value(of: text) else {
                throw EventError.wrongFieldType(name, expected: field.kind, fields: fields.map(\.name))
            }
            accepted[name] = converted
        }
        return accepted
    }

    /// What `GET /PAGE` answers.
    fileprivate func description(sequence: Int, shown: ResponseRecorder?) -> Value {
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

extension Request {
    fileprivate var isForm: Bool {
        headers["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
    }
}

extension Response {
    /// A value as JSON.
    static func json(_ value: Value, status: Int = 200) -> Response {
        Response(status: status, headers: [("Content-Type", "application/json")], body: value.json)
    }
}

extension JSONWriter {
    /// Writes commands as the wire format has them.
    mutating func commands(_ entries: ArraySlice<CommandHistory.Entry>) {
        array(entries) { writer, entry in
            writer.raw("{\"sequence\":")
            writer.integer(entry.sequence)
            writer.raw(",\"page\":")
            writer.string(entry.page)
            switch entry.command {
            case .render(let key, let value, let message):
                writer.raw(",\"command\":\"render\",\"key\":")
                writer.string(key)
                writer.raw(",\"value\":")
                writer.value(value)
                if let message { writer.code(of: message) }
            case .showAlert(let message):
                writer.raw(",\"command\":\"showAlert\",\"message\":")
                writer.string(message.text)
                writer.code(of: message)
            case .goToPage(let name, let values):
                writer.raw(",\"command\":\"goToPage\",\"name\":")
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
