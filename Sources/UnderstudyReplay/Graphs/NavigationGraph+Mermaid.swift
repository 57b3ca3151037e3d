import BusinessLogic

extension NavigationGraph {
    /// The graph as a Mermaid flowchart, which GitHub and GitLab show in Markdown.
    ///
    /// A page is a rectangle. A screen of the client is rounded, a page that is not served is a hexagon, and dotted arrows lead to
    /// both.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for (index, node) in nodes.enumerated() {
            let (start, end, note): (String, String, [String]) =
                switch node.kind {
                case .page: ("[", "]", [])
                case .client: ("([", "])", ["screen of the client"])
                case .unserved: ("{{", "}}", ["not served"])
                }
            lines.append("    n\(index)\(start)\"\(([node.name] + note).mermaidText)\"\(end)")
        }
        for edge in edges {
            let arrow = nodes[edge.target].kind == .page ? "-->" : "-.->"
            lines.append("    n\(edge.source) \(arrow)|\"\(edge.label.mermaidText)\"| n\(edge.target)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension NavigationGraph.Edge {
    /// The event; after a slash the command, if it says more than the name of the page.
    fileprivate var label: String {
        let isPlain = destination.name == destination.page && destination.fields.isEmpty
        return isPlain ? event.name : "\(event.name) / \(CommandDeclaration.Content.goToPage(destination))"
    }
}
