import BusinessLogic

extension NavigationGraph {
    /// The graph as an SVG image.
    ///
    /// Each page is a box, in the column of its depth. It lists the events that go to another page, each with the name of that page.
    /// A screen of the client and a page that is not served have dashed outlines, the latter in red.
    public var svg: String {
        let boxes = nodes.enumerated().map { index, node in
            GraphPicture.Box(
                column: node.depth,
                kind: node.boxKind,
                lines: node.lines.enumerated().map {
                    GraphPicture.Line(text: $0.element, kind: $0.offset == 0 ? "number" : "state")
                },
                rows: edges.filter { $0.source == index }.map { edge in
                    GraphPicture.Row(
                        target: edge.target,
                        lines: GraphPicture.Line.lines("\(edge.event.name) → \(nodes[edge.target].name)", "event")
                            + edge.effects.flatMap { GraphPicture.Line.lines($0, "effect") }
                    )
                }
            )
        }
        let styles = [".client, .unserved { stroke-dasharray: 5 4 } .unserved { stroke: #c00 }"]
        return GraphPicture("The navigation graph", boxes, styles: styles).svg
    }
}

extension NavigationGraph.Node {
    /// The class of the node's box in the style sheet.
    fileprivate var boxKind: String {
        switch kind {
        case .page: ""
        case .client: "client"
        case .unserved: "unserved"
        }
    }
}
