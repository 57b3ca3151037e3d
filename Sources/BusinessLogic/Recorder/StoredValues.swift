// The JSON of commands and screens, from which `Codable` decodes them. Written by hand, because a service may store each event:
// `JSONEncoder` takes ten times as long to write the same.

extension Message {
    /// The message as JSON from which it can be decoded. All but the code and the text may be absent.
    fileprivate var stored: Value {
        var value: Value.Object = ["code": .string(code), "text": .string(text)]
        if !parameters.isEmpty { value["parameters"] = .object(parameters) }
        // Coders do not keep the order of members.
        if parameters.count > 1 { value["order"] = .array(parameters.map { .string($0.name) }) }
        value["field"] = field.map(Value.string)
        if !isError { value["isError"] = false }
        return .object(value)
    }

    public func encode(to encoder: any Encoder) throws { try stored.encode(to: encoder) }
}

extension Command {
    fileprivate var stored: Value {
        switch self {
        case .render(let key, let shown, let message):
            var value: Value.Object = ["key": .string(key), "value": shown]
            value["message"] = message?.stored
            return ["render": .object(value)]
        case .showAlert(let message): return ["showAlert": ["_0": message.stored]]
        case .goToPage(let name, let values):
            return ["goToPage": ["name": .string(name), "values": .object(values)]]
        }
    }

    public func encode(to encoder: any Encoder) throws { try stored.encode(to: encoder) }
}

extension CommandHistory.Entry {
    package var stored: Value { ["sequence": Value(sequence), "page": .string(page), "command": command.stored] }
}

extension ScreenContent: Decodable {
    private enum CodingKeys: CodingKey {
        case rendered, messages, alert, destination, values
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        rendered = try container.decode(Value.Object.self, forKey: .rendered)
        for message in try container.decode([ResponseRecorder.RenderedMessage].self, forKey: .messages) {
            guard let position = rendered.firstIndex(where: { $0.name == message.key }) else { continue }
            messages.set(message.message, at: position)
        }
        outcome = Outcome(
            alert: try container.decodeIfPresent(Message.self, forKey: .alert),
            destination: try container.decodeIfPresent(ResponseRecorder.Destination.self, forKey: .destination)
        )
        values = try container.decode(Value.Object.self, forKey: .values)
    }

    package var stored: Value {
        var value: Value.Object = [
            "rendered": .object(rendered), "messages": .array(renderedMessages.map(\.stored)),
            "values": .object(values),
        ]
        value["alert"] = alert?.stored
        if let destination {
            value["destination"] = ["name": .string(destination.name), "values": .object(destination.values)]
        }
        return .object(value)
    }
}

extension ResponseRecorder.RenderedMessage {
    fileprivate var stored: Value { ["key": .string(key), "message": message.stored] }
}
