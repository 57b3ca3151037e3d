/// What a controller used although the declaration of the event does not name it.
package enum UndeclaredUse: Equatable, Sendable {
    /// A command that the event does not declare, or with another type of value.
    case command(Command)
    /// The controller read a field that the event does not read.
    case field(String)
}

extension UndeclaredUse {
    /// What is wrong and how to correct it, in one line.
    package func explanation(of declaration: EventDeclaration) -> String {
        let event = declaration.event.name
        switch self {
        case .command(let command):
            let declared = declaration.gives.map(\.description).joined(separator: ", ")
            if declaration.allows(command, checksValues: false) {
                return "The event '\(event)' gave '\(command)', whose value is of another type than its row declares. "
                    + "It declares: \(declared). Correct the value or 'gives'."
            }
            return "The event '\(event)' gave '\(command)', which its row does not declare. "
                + (declared.isEmpty ? "It declares no commands." : "It declares: \(declared).")
                + " Add it to 'gives'."
        case .field(let name):
            let declared = declaration.reads.map(\.name).joined(separator: ", ")
            return "The event '\(event)' read the field '\(name)', which its row does not declare. "
                + (declared.isEmpty ? "It declares no fields." : "It declares: \(declared).")
                + " Add it to 'reads'."
        }
    }

    /// The command without its values, or the field: the same for each use of the same kind.
    package var subject: String {
        switch self {
        case .command(.render(let key, _, let message)): "render \(key)" + (message.map { " \($0.code)" } ?? "")
        case .command(.showAlert(let message)): "showAlert \(message.code)"
        case .command(.goToPage(let name, _)): "goToPage \(name)"
        case .field(let name): "getValue \(name)"
        }
    }
}
