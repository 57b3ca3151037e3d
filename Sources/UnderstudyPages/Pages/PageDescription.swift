package import BusinessLogic

/// What `GET /PAGE` returns of a page.
///
/// What does not depend on the session is written once: its fields, its outputs and its events are most of the response.
package struct PageDescription: Sendable {
    /// The members before the sequence number's value.
    private let start: [UInt8]
    /// The members after those that depend on the session.
    private let end: [UInt8]

    package init(_ page: Page, _ links: PageLinks) {
        start = Array("{\"page\":\(Value.string(page.name)),\"sequence\":".utf8)
        var members: Value.Object = [
            "fields": .array(page.fields.map(\.value)), "outputs": .array(page.outputs.map(\.value)),
            "events": .array(page.events.map { $0.value(links, secrets: page.secrets) }),
        ]
        if !page.updates.isEmpty {
            let updates = page.updates.map { ["update": .string($0.event.name), "gives": $0.gives(links)] as Value }
            members["updates"] = .array(updates)
        }
        end = [UInt8(ascii: ",")] + "\(members)".utf8.dropFirst().dropLast()
    }

    /// `shown` is `nil` if the session has not used the page. The link has the values of the request's query.
    package func json(
        sequence: Int,
        shown: ResponseRecorder?,
        link: LinkValues = LinkValues(),
        _ context: ResponseContext
    ) -> [UInt8] {
        let messages = shown?.renderedMessages ?? []
        let alert = shown?.alert
        let errors = Self.errors(messages, alert) + link.errors
        var values = shown?.values ?? [:]
        for (name, value) in link.values { values[name] = value }
        return JSONWriter.bytes(capacity: 512 + end.count) { writer in
            writer.raw(start)
            writer.integer(sequence)
            writer.raw(errors.isEmpty ? ",\"ok\":true,\"rendered\":" : ",\"ok\":false,\"rendered\":")
            writer.object(shown?.rendered(context) ?? [:])
            writer.raw(",\"messages\":")
            writer.messages(messages)
            writer.raw(",\"alert\":")
            writer.optional(alert) { $0.members(of: $1, context) }
            writer.raw(",\"goToPage\":")
            writer.optional(shown?.destination) { $0.members(ofDestination: $1.name, $1.values, context) }
            writer.raw(",\"values\":")
            writer.object(values)
            writer.raw(end)
            if !errors.isEmpty {
                writer.raw(",\"errors\":")
                writer.array(errors) { $0.error($1, context) }
            }
            writer.raw("}\n")
        }
    }

    /// The messages on the screen that report an error, each once.
    private static func errors(_ messages: [ResponseRecorder.RenderedMessage], _ alert: Message?) -> [Message] {
        var errors: [Message] = []
        for message in messages.map(\.message) + (alert.map { [$0] } ?? [])
        where message.isError && !errors.contains(message) {
            errors.append(message)
        }
        return errors
    }
}

extension JSONWriter {
    fileprivate mutating func messages(_ messages: [ResponseRecorder.RenderedMessage]) {
        var separator: StaticString = "{"
        for rendered in messages {
            raw(separator)
            separator = ","
            string(rendered.key)
            raw(":{")
            identification(of: rendered.message)
            raw("}")
        }
        raw(messages.isEmpty ? "{}" : "}")
    }

    /// Writes `null` if there is no content.
    fileprivate mutating func optional<Content>(_ content: Content?, _ write: (inout JSONWriter, Content) -> Void) {
        guard let content else { return raw("null") }
        raw("{")
        write(&self, content)
        raw("}")
    }
}

extension FieldDeclaration {
    fileprivate var value: Value {
        var value: Value.Object = ["name": .string(name), "kind": .string(schema.kindName)]
        if let format = schema.format { value["format"] = .string(format) }
        value["optional"] = .boolean(schema.isOptional)
        value["secret"] = .boolean(isSecret)
        let described = schema.jsonSchema(.input)
        if let maximum = described["maxLength"] { value["maxLength"] = maximum }
        if isSecret, isFromLink { value["fromLink"] = true }
        value["whenAbsent"] = whenAbsent
        value["description"] = description.map(Value.string)
        value["schema"] = .object(described)
        return .object(value)
    }
}

extension PageOutput {
    fileprivate var value: Value {
        var value: Value.Object = [
            "key": .string(key), "kind": .string(schema.kindName), "optional": .boolean(schema.isOptional),
        ]
        value["description"] = description.map(Value.string)
        value["schema"] = .object(schema.jsonSchema(.output))
        return .object(value)
    }
}

extension ValueSchema {
    fileprivate var kindName: String { jsonType?.rawValue ?? "any" }
}

extension EventDeclaration {
    fileprivate func value(_ links: PageLinks, secrets: [String]) -> Value {
        var value: Value.Object = [
            "event": .string(event.name),
            "default": .boolean(isDefault),
            "reads": .array(reads.map { .string($0.name) }),
            "secret": .array(reads.map(\.name).filter(secrets.contains).map(Value.string)),
            "gives": gives(links),
        ]
        if isSafe { value["safe"] = true }
        return .object(value)
    }

    fileprivate func gives(_ links: PageLinks) -> Value {
        var (renders, messages, destinations): ([Value], [Value], [Value]) = ([], [], [])
        for declaration in gives {
            messages += declaration.messages.map { .string($0.code) }
            switch declaration {
            case .render(let key, _, _, _, _): renders.append(.string(key))
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
