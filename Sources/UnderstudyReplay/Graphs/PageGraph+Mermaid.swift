import BusinessLogic
import UnderstudyPages

extension PageGraph {
    /// The graph as a Mermaid state diagram, which GitHub and GitLab show in Markdown.
    public var mermaid: String {
        var lines = ["stateDiagram-v2", "    direction LR"]
        for (index, state) in states.enumerated() {
            let text = (["\(index)"] + (index == 0 ? ["start"] + state.userLine : changes(to: state))).mermaidText
            lines.append("    state \"\(text)\" as s\(index)")
        }
        if isCut { lines.append("    state \"…\" as more") }
        lines.append("    [*] --> s0")
        for transition in transitions {
            let target = transition.target.map { "s\($0)" } ?? "more"
            lines.append("    s\(transition.source) --> \(target) : \(transition.label.mermaidText)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What has changed since the first state: in the controller's state, in the session's values, on the screen, and the user.
    private func changes(to state: State) -> [String] {
        let start = states[0]
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
    /// The event, a slash and the commands, as in a state diagram.
    fileprivate var label: String {
        commands.isEmpty ? cause : cause + " / " + commands.map(\.summary).joined(separator: ", ")
    }

    /// The event with the duration before it, its values, if they decide, and in brackets the results of collaborators.
    private var cause: String {
        let wait = wait == .zero ? [] : ["after \(wait.text)"]
        let given = valuesDecide ? values.map { "\($0.name)=\($0.value.summary)" } : []
        return ([event.name] + wait + given + guards).joined(separator: " ")
    }

    /// The results of collaborators that lead to the state.
    private var guards: [String] {
        results.compactMap { entry in
            guard case .success(let value) = entry.result else { return nil }
            return "[\(entry.name)=\(value.summary)]"
        }
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
