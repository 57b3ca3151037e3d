import UnderstudyPages

extension PageGraph {
    /// The graph as a Mermaid state diagram, which GitHub and GitLab show in Markdown.
    public var mermaid: String {
        var lines = ["stateDiagram-v2", "    direction LR"]
        for (index, state) in states.enumerated() {
            let text = (["\(index)"] + self.lines(of: state)).mermaidText
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
}
