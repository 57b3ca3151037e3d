import BusinessLogic
import MicroHTTP

extension UnderstudyService {
    /// `GET /PAGE`: what the screen shows, and the page's events. Starts no session.
    func show(_ page: Page, _ request: Request) async throws -> Response {
        let language = languages?[request.headers]
        let context = language?.context ?? context
        let credential = SessionCredential(request, cookieName: configuration.cookieName)
        let response = try await withSession(of: credential) { session in
            let shown = session.existingScreen(of: page)?.recorder
            var response = Response.json(
                page.description(sequence: session.history.sequence, shown: shown, context: context)
            )
            if let shown, shown.alert != nil || !shown.renderedMessages.isEmpty { response.common = language?.headers }
            return response
        }
        return response ?? .json(page.description(sequence: 0, shown: nil, context: context))
    }
}

extension Page {
    /// The response to `GET /PAGE`.
    ///
    /// - Parameters:
    ///   - sequence: the number of the session's last command.
    ///   - shown: the page's screen; `nil` if the session has not used the page.
    ///   - context: the addresses of pages, and the language of messages.
    func description(sequence: Int, shown: ResponseRecorder?, context: ResponseContext) -> Value {
        let errors = shown?.errors ?? []
        var description: Value.Object = [
            "page": .string(name),
            "sequence": Value(sequence),
            "ok": .boolean(errors.isEmpty),
            "rendered": .object(shown.map { rendered($0, context) } ?? [:]),
            "messages": .object(messages(of: shown?.renderedMessages ?? [])),
            "alert": shown?.alert.map { $0.value(context) } ?? .null,
            "goToPage": shown?.destination.map { $0.value(context.links) } ?? .null,
            "values": .object(shown?.values ?? [:]),
            "fields": .array(fields.map(\.value)),
            "outputs": .array(outputs.map(\.value)),
            "events": .array(events.map { $0.value(context.links, secrets: secrets) }),
        ]
        if !errors.isEmpty { description["errors"] = .array(errors.map { $0.error(context) }) }
        return .object(description)
    }

    /// The rendered values; messages are in the client's language.
    private func rendered(_ shown: ResponseRecorder, _ context: ResponseContext) -> Value.Object {
        var rendered = shown.rendered
        for message in shown.renderedMessages {
            rendered[message.key] = rendered[message.key].map { context.value($0, of: message.message) }
        }
        return rendered
    }

    private func messages(of rendered: [ResponseRecorder.RenderedMessage]) -> Value.Object {
        var messages: Value.Object = [:]
        for rendered in rendered { messages[rendered.key] = .object(rendered.message.identification) }
        return messages
    }
}

extension ResponseRecorder {
    /// The messages on the screen that report an error, each once.
    fileprivate var errors: [Message] {
        var errors: [Message] = []
        for message in renderedMessages.map(\.message) + (alert.map { [$0] } ?? [])
        where message.isError && !errors.contains(message) {
            errors.append(message)
        }
        return errors
    }
}

extension ResponseRecorder.Destination {
    fileprivate func value(_ links: PageLinks) -> Value {
        var value: Value.Object = ["name": .string(name)]
        if let href = links[name] { value["href"] = .string(href) }
        if !values.isEmpty { value["values"] = .object(values) }
        return .object(value)
    }
}

extension FieldDeclaration {
    fileprivate var value: Value {
        var value: Value.Object = ["name": .string(name), "kind": .string(kind.rawValue)]
        if let format { value["format"] = .string(format) }
        value["optional"] = .boolean(isOptional)
        value["secret"] = .boolean(isSecret)
        if kind == .string { value["maxLength"] = Value(maximumLength) }
        if let whenAbsent { value["whenAbsent"] = whenAbsent }
        if let description { value["description"] = .string(description) }
        return .object(value)
    }
}

extension PageOutput {
    fileprivate var value: Value {
        var value: Value.Object = [
            "key": .string(key), "kind": .string(type.kind), "optional": .boolean(type.isOptional),
        ]
        if let description { value["description"] = .string(description) }
        return .object(value)
    }
}

extension EventDeclaration {
    /// - Parameter secrets: the names of the page's secret fields.
    fileprivate func value(_ links: PageLinks, secrets: [String]) -> Value {
        [
            "event": .string(event.name),
            "default": .boolean(isDefault),
            "reads": .array(reads.map { .string($0.name) }),
            "secret": .array(reads.map(\.name).filter(secrets.contains).map(Value.string)),
            "gives": gives(links),
        ]
    }

    private func gives(_ links: PageLinks) -> Value {
        var (renders, messages, destinations): ([Value], [Value], [Value]) = ([], [], [])
        for declaration in gives {
            messages += declaration.messages.map { .string($0.code) }
            switch declaration {
            case .render(let key, _, _, _): renders.append(.string(key))
            case .showAlert: break
            case .goToPage(let destination):
                var value: Value.Object = ["name": .string(destination.name)]
                if let href = links[destination.name] { value["href"] = .string(href) }
                destinations.append(.object(value))
            }
        }
        return ["renders": .array(renders), "messages": .array(messages), "destinations": .array(destinations)]
    }
}

extension Message {
    fileprivate func value(_ context: ResponseContext) -> Value {
        var value: Value.Object = ["message": .string(context.text(of: self))]
        for (name, member) in identification { value[name] = member }
        return .object(value)
    }

    /// The message as an element of `errors`.
    fileprivate func error(_ context: ResponseContext) -> Value {
        var value: Value.Object = [:]
        if let field { value["field"] = .string(field) }
        for (name, member) in identification { value[name] = member }
        value["message"] = .string(context.text(of: self))
        return .object(value)
    }

    /// The members by which a client recognises the message.
    fileprivate var identification: Value.Object {
        var value: Value.Object = ["code": .string(code)]
        if !parameters.isEmpty { value["parameters"] = .object(parameters) }
        return value
    }
}
