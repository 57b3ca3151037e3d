import Understudy

extension PageGraph {
    /// The graph in Graphviz's language DOT.
    public var dot: String {
        var lines = [
            "digraph \"\(page)\" {", "    rankdir=LR", "    node [shape=box, style=rounded, fontname=monospace]",
            "    edge [fontname=monospace, fontsize=10]",
        ]
        for (index, state) in states.enumerated() {
            lines.append("    s\(index) [label=\(Self.dotText(["\(index)"] + self.lines(of: state)))]")
        }
        if isCut { lines.append("    more [label=\"…\", shape=plaintext]") }
        for transition in transitions {
            let target = transition.target.map { "s\($0)" } ?? "more"
            let label = Self.dotText([transition.cause] + transition.effects)
            lines.append("    s\(transition.source) -> \(target) [label=\(label)]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// Lines as a DOT string.
    private static func dotText(_ lines: [String]) -> String {
        let escaped = lines.map { line in
            line.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        }
        return "\"" + escaped.joined(separator: "\\n") + "\""
    }
}
