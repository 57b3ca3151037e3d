// The same JSON as that of `Codable`, in a tenth of the time, because a service may store each event. Decoding uses `Codable`.

extension Message {
    /// The message as JSON from which it can be decoded.
    fileprivate var stored: Value {
        var value: Value.Object = ["code": .string(code), "text": .string(text)]
        if !parameters.isEmpty { value["parameters"] = .object(parameters) }
        if parameters.count > 1 { value["order"] = .array(parameters.map { .string($0.name) }) }
        if let field { value["field"] = .string(field) }
        if !isError { value["isError"] = false }
        return .object(value)
    }
}

extension Command {
    fileprivate var stored: Value {
        switch self {
        case .render(let key, let shown, let message):
            var value: Value.Object = ["key": .string(key), "value": shown]
            if let message { value["message"] = message.stored }
            return ["render": .object(value)]
        case .showAlert(let message): return ["showAlert": ["_0": message.stored]]
        case .goToPage(let name, let values):
            return ["goToPage": ["name": .string(name), "values": .object(values)]]
        }
    }
}

extension CommandHistory.Entry {
    /// The entry as JSON from which it can be decoded.
    package var stored: Value {
        ["sequence": Value(sequence), "page": .string(page), "command": command.stored]
    }
}

extension ResponseRecorder.State {
    /// The state as JSON from which it can be decoded.
    package var stored: Value {
        var value: Value.Object = [
            "rendered": .object(rendered), "messages": .array(messages.map(\.stored)), "values": .object(values),
        ]
        if let alert { value["alert"] = alert.stored }
        if let destination { value["destination"] = destination.stored }
        return .object(value)
    }
}

extension ResponseRecorder.RenderedMessage {
    fileprivate var stored: Value { ["key": .string(key), "message": message.stored] }
}

extension ResponseRecorder.Destination {
    fileprivate var stored: Value { ["name": .string(name), "values": .object(values)] }
}
