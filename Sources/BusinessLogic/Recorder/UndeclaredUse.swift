/// What a controller used although the declaration of the event does not name it.
package enum UndeclaredUse: Equatable, Sendable {
    /// A command that the event does not declare, or with another type of value.
    case command(Command)
    case field(String)
    /// The controller gave a command when no event ran, which is dropped: without its values, which can be large.
    case late(String)

    /// What is wrong and how to correct it, in one line.
    package func explanation(of declaration: EventDeclaration) -> String {
        let (use, kind, declared, list): (String, String, [String], String)
        switch self {
        case .late(let subject):
            return "The controller gave '\(subject)' when it handled no event. Let the event wait for what gives it."
        case .command(let command):
            (use, kind, declared, list) = (
                "gave '\(command)'", "commands", declaration.gives.map(\.description), "gives"
            )
        case .field(let name):
            (use, kind, declared, list) = ("read the field '\(name)'", "fields", declaration.reads.map(\.name), "reads")
        }
        let event = "The event '\(declaration.event.name)' \(use)"
        let known = declared.isEmpty ? "It declares no \(kind)." : "It declares: \(declared.joined(separator: ", "))."
        if case .command(let command) = self, declaration.allows(command, checksValues: false) {
            return "\(event), whose value is of another type than its row declares. "
                + "\(known) Correct the value or 'gives'."
        }
        return "\(event), which its row does not declare. \(known) Add it to '\(list)'."
    }

    /// The command without its values, or the field: the same for each use of the same kind.
    package var subject: String {
        switch self {
        case .command(let command): command.subject
        case .late(let subject): subject
        case .field(let name): "getValue \(name)"
        }
    }
}

extension Command {
    /// The command without its values.
    var subject: String {
        switch self {
        case .render(let key, _, let message): "render \(key)" + (message.map { " \($0.code)" } ?? "")
        case .showAlert(let message): "showAlert \(message.code)"
        case .goToPage(let name, _): "goToPage \(name)"
        }
    }
}
