/// The form is the same for responses and recordings.
extension JSONWriter {
    package mutating func command(_ command: Command, _ context: ResponseContext = .recording) {
        raw("{\"command\":\"")
        switch command {
        case .render(let key, let value, let message): render(key, value, message, context)
        case .showAlert(let message): showAlert(message, context)
        case .goToPage(let name, let values): goToPage(name, values, context)
        }
        raw("}")
    }

    package mutating func commands(_ entries: ArraySlice<CommandHistory.Entry>, _ context: ResponseContext) {
        raw("[")
        for index in entries.indices {
            if index > entries.startIndex { raw(",") }
            command(at: index, of: entries, context)
        }
        raw("]")
    }

    package mutating func command(
        at index: Int,
        of entries: ArraySlice<CommandHistory.Entry>,
        _ context: ResponseContext
    ) {
        raw("{\"sequence\":")
        integer(entries[index].sequence)
        raw(",\"page\":\"")
        text(entries[index].page)
        raw("\",\"command\":\"")
        // As a parameter, the command or its entry would be copied.
        switch entries[index].command {
        case .render(let key, let value, let message): render(key, value, message, context)
        case .showAlert(let message): showAlert(message, context)
        case .goToPage(let name, let values): goToPage(name, values, context)
        }
        raw("}")
    }

    // The members of a command, from the first one's value on.

    private mutating func render(_ key: String, _ value: Value, _ message: Message?, _ context: ResponseContext) {
        raw("render\",\"key\":\"")
        text(key)
        raw("\",\"value\":")
        if let message {
            self.value(context.value(value, of: message))
            raw(",")
            identification(of: message)
        } else {
            self.value(value)
        }
    }

    private mutating func showAlert(_ message: Message, _ context: ResponseContext) {
        raw("showAlert\",")
        members(of: message, context)
    }

    private mutating func goToPage(_ name: String, _ values: Value.Object, _ context: ResponseContext) {
        raw("goToPage\",")
        members(ofDestination: name, values, context)
    }

    /// Writes the members of a message: its text in the language of `context`, and what identifies it.
    package mutating func members(of message: Message, _ context: ResponseContext) {
        raw("\"message\":")
        string(context.text(of: message))
        raw(",")
        identification(of: message)
    }

    /// Writes the members of a page that an event went to: its name, its address if it has one, and the values that it receives.
    package mutating func members(ofDestination name: String, _ values: Value.Object, _ context: ResponseContext) {
        raw("\"name\":")
        string(name)
        if let href = context.links[name] {
            raw(",\"href\":")
            string(href)
        }
        if !values.isEmpty {
            raw(",\"values\":")
            object(values)
        }
    }

    package mutating func errors(_ entries: ArraySlice<CommandHistory.Entry>, _ context: ResponseContext) {
        var separator: StaticString = "["
        for index in entries.indices {
            guard entries[index].isError, let message = entries[index].command.error else { continue }
            raw(separator)
            separator = ","
            error(message, context)
        }
        raw("]")
    }

    package mutating func error(_ message: Message, _ context: ResponseContext) {
        raw("{")
        if let field = message.field {
            raw("\"field\":")
            string(field)
            raw(",")
        }
        members(of: message, context)
        raw("}")
    }

    package mutating func identification(of message: Message) {
        raw("\"code\":")
        string(message.code)
        if !message.parameters.isEmpty {
            raw(",\"parameters\":")
            object(message.parameters)
        }
    }
}

package struct MalformedCommand: Error, Equatable {
    /// What is wrong, as a sentence.
    package let reason: String
}

extension Command {
    /// Returns `nil` if the command's kind is unknown, because a client must ignore it.
    package init?(json members: Value.Object) throws(MalformedCommand) {
        guard let kind = members["command"]?.string else {
            throw MalformedCommand(reason: "A command lacks 'command'.")
        }
        switch kind {
        case "render":
            guard let key = members["key"]?.string, let value = members["value"] else { throw .incomplete(kind) }
            self = .render(key: key, value: value, message: value.string.flatMap { members.message($0) })
        case "showAlert":
            guard let message = members["message"]?.string.flatMap({ members.message($0) }) else {
                throw .incomplete(kind)
            }
            self = .showAlert(message)
        case "goToPage":
            guard let name = members["name"]?.string else { throw .incomplete(kind) }
            self = .goToPage(name, members["values"]?.object ?? [:])
        default:
            return nil
        }
    }
}

extension MalformedCommand {
    fileprivate static func incomplete(_ kind: String) -> MalformedCommand {
        MalformedCommand(reason: "The command '\(kind)' is incomplete.")
    }
}

extension Value.Object {
    package func message(_ text: String) -> Message? {
        self["code"]?.string.map { Message(code: $0, text: text, parameters: self["parameters"]?.object ?? [:]) }
    }
}
