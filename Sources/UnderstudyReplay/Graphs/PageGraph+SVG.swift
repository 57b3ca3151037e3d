import BusinessLogic
import UnderstudyPages

extension PageGraph {
    /// The graph as an SVG image.
    ///
    /// Each state is a box, in the column of its depth. It lists the events that can happen. Each event's line ends with the
    /// number of the state that it leads to, and an arrow leads there, unless the state stays the same.
    public var svg: String {
        let boxes = states.enumerated().map { number, state in
            GraphPicture.Box(
                column: state.depth,
                lines: [GraphPicture.Line(text: "\(number)", kind: "number")]
                    + lines(of: state).flatMap { GraphPicture.Line.lines($0, "state") },
                rows: transitions.filter { $0.source == number }.map(\.row)
            )
        }
        return GraphPicture("The page \(page)", boxes).svg
    }
}

extension PageGraph.Transition {
    /// The transition in its state's box.
    fileprivate var row: GraphPicture.Row {
        let next = target.map { $0 == source ? "" : " → \($0)" } ?? " → …"
        return GraphPicture.Row(
            target: target,
            lines: [GraphPicture.Line(text: occasion + next, kind: "event")]
                + (given + guards).flatMap { GraphPicture.Line.lines($0, "value") }
                + effects.flatMap { GraphPicture.Line.lines($0, "effect") }
        )
    }
}
