import BusinessLogic
import UnderstudyPages

/// Replaces what users entered, but keeps its form, so that most rules decide as before: each letter becomes `x` or `X`, each
/// digit `0`, each number 0. The codes of messages, the times and the random numbers stay. Of a problem, only the status and the code stay,
/// because it can name what a client has sent.
extension EventResponse {
    package var redacted: EventResponse {
        var redacted = self
        redacted.commands = commands.map(\.redacted)
        redacted.user = user.map { User(username: $0.username.redacted, roles: $0.roles.map(\.redacted)) }
        if let problem {
            var kept: Value.Object = [:]
            for name in ["status", "code"] { kept[name] = problem[name] }
            redacted.problem = kept
        }
        return redacted
    }
}

extension CollaboratorLog.Entry {
    var redacted: CollaboratorLog.Entry {
        if ["clock", "random"].contains(name), case .success(.number) = result { return self }
        return CollaboratorLog.Entry(name, result.map(\.redacted))
    }
}

extension Command {
    fileprivate var redacted: Command {
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
        isError
            ? Message(code: code, text: text.redacted, parameters: parameters.redacted, field: field)
            : .notice(code: code, text: text.redacted, parameters: parameters.redacted, field: field)
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
    var redacted: Value.Object {
        var redacted: Value.Object = [:]
        for (name, value) in self { redacted.append(name, name == "code" ? value : value.redacted) }
        return redacted
    }
}

extension String {
    var redacted: String {
        String(
            map { character in
                if character.isNumber { return "0" }
                guard character.isLetter || !character.isASCII else { return character }
                return character.isUppercase ? "X" : "x"
            }
        )
    }
}
