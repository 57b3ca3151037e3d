import BusinessLogic

extension NavigationGraph {
    /// The graph in Graphviz's language DOT.
    ///
    /// A screen of the client and a page that is not served have dashed outlines, the latter in red.
    public var dot: String {
        var lines = [
            "digraph navigation {", "    rankdir=LR", "    node [shape=box, style=rounded, fontname=monospace]",
            "    edge [fontname=monospace, fontsize=10]",
        ]
        for (index, node) in nodes.enumerated() {
            let style =
                switch node.kind {
                case .page: ""
                case .client: ", style=\"rounded,dashed\""
                case .unserved: ", style=dashed, color=red"
                }
            lines.append("    n\(index) [label=\(node.lines.dotText)\(style)]")
        }
        for edge in edges {
            let style = nodes[edge.target].kind == .page ? "" : ", style=dashed"
            let label = ([edge.event.name] + edge.effects).dotText
            lines.append("    n\(edge.source) -> n\(edge.target) [label=\(label)\(style)]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }
}
