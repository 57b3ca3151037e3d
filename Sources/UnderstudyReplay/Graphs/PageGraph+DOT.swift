import Understudy

extension PageGraph {
    /// The graph in Graphviz's language DOT.
    public var dot: String {
        var lines = [
            "digraph \"\(page)\" {", "    rankdir=LR", "    node [shape=box, style=rounded, fontname=monospace]",
            "    edge [fontname=monospace, fontsize=10]",
        ]
        for (index, state) in states.enumerated() {
            lines.append("    s\(index) [label=\((["\(index)"] + self.lines(of: state)).dotText)]")
        }
        if isCut { lines.append("    more [label=\"…\", shape=plaintext]") }
        for transition in transitions {
            let target = transition.target.map { "s\($0)" } ?? "more"
            let label = ([transition.cause] + transition.effects).dotText
            lines.append("    s\(transition.source) -> \(target) [label=\(label)]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }
}
