import BusinessLogic
import Understudy

/// How a graph is put into words, in whichever way it is drawn.
extension PageGraph {
    /// What a person can tell a state by: what has changed since the first one, in the controller's memory and on the screen.
    func lines(of state: State) -> [String] {
        let start = states[0]
        var lines = Self.changes(from: start.members, to: state.members)
        lines += Self.changes(from: start.rendered, to: state.rendered).map { "shows " + $0 }
        return lines.isEmpty && state == start ? ["start"] : lines
    }

    private static func changes(from before: Value.Object, to after: Value.Object) -> [String] {
        let changed = after.filter { before[$0.name] != $0.value }.map { "\($0.name)=\($0.value.words)" }
        return changed + before.filter { !after.contains($0.name) }.map { "\($0.name) is gone" }
    }
}

extension PageGraph.State {
    /// The members of what the controller remembers that are not null, of which points in time are all the same; what is no
    /// object as the one member `state`.
    fileprivate var members: Value.Object {
        guard case .object(let object) = memory else { return ["state": memory] }
        var members: Value.Object = [:]
        for (name, value) in object {
            if times.contains(name) { members[name] = "a time" } else if value != .null { members[name] = value }
        }
        return members
    }
}

extension PageGraph.Transition {
    /// The values that it brings along.
    var given: [String] { values.map { "\($0.name)=\($0.value.words)" } }

    /// The event with its values.
    var cause: String { ([event.name] + given).joined(separator: " ") }

    /// The commands, each in a line.
    var effects: [String] { commands.map(\.words) }

    /// All of it, as state diagrams have it: the event, a slash, what is done.
    var label: String {
        commands.isEmpty ? cause : cause + " / " + effects.joined(separator: ", ")
    }
}

extension Command {
    fileprivate var words: String {
        switch self {
        case .render(let key, let value, _): "render \(key)=\(value.words)"
        case .showAlert(let message): "showAlert \(Value.string(message.text).words)"
        case .goToPage(let name, let values):
            (["goToPage \(name)"] + values.map { "\($0.name)=\($0.value.words)" }).joined(separator: " ")
        }
    }
}

extension Value {
    /// The value in one line, not longer than a person wants to read it.
    fileprivate var words: String {
        let json = JSONWriter.bytes { writer in
            if case .string(let string) = self { writer.text(string) } else { writer.value(self) }
        }
        let words = json.isEmpty ? "''" : String(decoding: json, as: UTF8.self)
        return words.count <= 48 ? words : words.prefix(47) + "…"
    }
}
