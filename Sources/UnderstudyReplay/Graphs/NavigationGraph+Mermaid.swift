import BusinessLogic

extension NavigationGraph {
    /// The graph as a Mermaid flowchart, which GitHub and GitLab show in Markdown.
    ///
    /// A page is a rectangle. A screen of the client is rounded, a page that is not served is a hexagon, and dotted arrows lead to
    /// both.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for (index, node) in nodes.enumerated() {
            let (start, end) =
                switch node.kind {
                case .page: ("[", "]")
                case .client: ("([", "])")
                case .unserved: ("{{", "}}")
                }
            lines.append("    n\(index)\(start)\"\(node.lines.mermaidText)\"\(end)")
        }
        for edge in edges {
            let arrow = nodes[edge.target].kind == .page ? "-->" : "-.->"
            lines.append("    n\(edge.source) \(arrow)|\"\(edge.label.mermaidText)\"| n\(edge.target)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension NavigationGraph.Node {
    /// The name, and what the node is unless it is a page.
    fileprivate var lines: [String] {
        switch kind {
        case .page: [name]
        case .client: [name, "screen of the client"]
        case .unserved: [name, "not served"]
        }
    }
}

extension NavigationGraph.Edge {
    /// The event; after a slash the command, if it says more than the name of the page.
    fileprivate var label: String {
        let isPlain = destination.name == destination.page && destination.fields.isEmpty
        return isPlain ? event.name : "\(event.name) / \(CommandDeclaration.Content.goToPage(destination))"
    }
}
