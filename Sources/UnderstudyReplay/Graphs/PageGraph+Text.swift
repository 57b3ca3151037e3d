import BusinessLogic
import UnderstudyPages

/// The texts of a graph, for all formats.
extension PageGraph {
    /// What has changed since the first state: in the controller's state, in the session's values, on the screen, and the user.
    func lines(of state: State) -> [String] {
        let start = states[0]
        if state == start { return ["start"] + start.userLine }
        return Self.changes(from: start.members, to: state.members)
            + (state.user == start.user ? [] : state.userLine.isEmpty ? ["no user"] : state.userLine)
            + Self.changes(from: start.rendered, to: state.rendered).map { "shows " + $0 }
    }

    private static func changes(from before: Value.Object, to after: Value.Object) -> [String] {
        let changed = after.filter { before[$0.name] != $0.value }.map { "\($0.name)=\($0.value.summary)" }
        return changed + before.filter { !after.contains($0.name) }.map { "\($0.name) is gone" }
    }
}

extension PageGraph.State {
    /// The logged-in user, if there is one.
    fileprivate var userLine: [String] { user.map { ["user=" + Value.string($0.username).summary] } ?? [] }
}

extension PageGraph.Transition {
    /// The values that come with the event, if they decide.
    var given: [String] { valuesDecide ? allGiven : [] }

    private var allGiven: [String] { values.map { "\($0.name)=\($0.value.summary)" } }

    /// The event with the duration before it, marked if a recording contains it.
    var occasion: String {
        let wait = wait == .zero ? [] : ["after \(wait.text)"]
        return ((isCovered ? ["✓"] : []) + [event.name] + wait).joined(separator: " ")
    }

    /// The event with its values, and in brackets the results of collaborators.
    var cause: String { ([occasion] + given + guards).joined(separator: " ") }

    /// The results of collaborators that lead to the state.
    var guards: [String] {
        results.compactMap { entry in
            guard case .success(let value) = entry.result else { return nil }
            return "[\(entry.name)=\(value.summary)]"
        }
    }

    /// The commands, one on each line.
    var effects: [String] { commands.map(\.summary) }

    /// The event, a slash and the commands, as in a state diagram.
    var label: String {
        commands.isEmpty ? cause : cause + " / " + effects.joined(separator: ", ")
    }
}

extension Command {
    fileprivate var summary: String {
        switch self {
        case .render(let key, let value, _): "render \(key)=\(value.summary)"
        case .showAlert(let message): "showAlert \(Value.string(message.text).summary)"
        case .goToPage(let name, let values):
            (["goToPage \(name)"] + values.map { "\($0.name)=\($0.value.summary)" }).joined(separator: " ")
        }
    }
}

extension Value {
    /// The value on one line of at most 48 characters.
    fileprivate var summary: String {
        let json = JSONWriter.bytes { writer in
            if case .string(let string) = self { writer.text(string) } else { writer.value(self) }
        }
        let summary = json.isEmpty ? "''" : String(decoding: json, as: UTF8.self)
        return summary.count <= 48 ? summary : summary.prefix(47) + "…"
    }
}
