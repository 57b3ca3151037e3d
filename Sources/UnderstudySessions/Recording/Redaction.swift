package import BusinessLogic
import UnderstudyPages

/// Replaces what users entered, but keeps its form, so that most rules decide as before: each letter becomes `x` or `X`, each
/// digit `0`, each number 0. The codes of messages, the times and the random numbers stay.
extension Recording.Event {
    package var redacted: Recording.Event {
        Recording.Event(
            page: page,
            event: event,
            values: values.redacted,
            erased: erased,
            results: results.map(\.redacted),
            commands: commands.map(\.redacted),
            failure: failure
        )
    }
}

extension CollaboratorLog.Entry {
    fileprivate var redacted: CollaboratorLog.Entry {
        if ["clock", "random"].contains(name), case .success(.number) = result { return self }
        return CollaboratorLog.Entry(name, result.map(\.redacted))
    }
}

extension Command {
    package var redacted: Command {
        switch self {
        case .render(let key, let value, let message):
            .render(key: key, value: value.redacted, message: message?.redacted)
        case .showAlert(let message): .showAlert(message.redacted)
        case .goToPage(let name, let values): .goToPage(name, values.redacted)
        }
    }
}

extension Message {
    fileprivate var redacted: Message {
        Message(code: code, text: text.redacted, parameters: parameters.redacted)
    }
}

extension Value {
    fileprivate var redacted: Value {
        switch self {
        case .null, .boolean: self
        case .number: 0
        case .string(let text): .string(text.redacted)
        case .array(let elements): .array(elements.map(\.redacted))
        case .object(let object): .object(object.redacted)
        }
    }
}

extension Value.Object {
    fileprivate var redacted: Value.Object {
        var redacted: Value.Object = [:]
        for (name, value) in self { redacted.append(name, name == "code" ? value : value.redacted) }
        return redacted
    }
}

extension String {
    fileprivate var redacted: String {
        String(
            map { character in
                if character.isNumber { return "0" }
                guard character.isLetter || !character.isASCII else { return character }
                return character.isUppercase ? "X" : "x"
            }
        )
    }
}
