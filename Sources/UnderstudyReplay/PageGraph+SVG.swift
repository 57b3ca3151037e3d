import BusinessLogic
import Understudy

extension PageGraph {
    /// The graph as an SVG image.
    ///
    /// Each state is a box, in the column of its depth. It lists the events that can happen. Each event's line ends with the
    /// number of the state that it leads to, and an arrow leads there, unless the state stays the same.
    public var svg: String { GraphPicture(self).svg }
}

/// The layout of a graph's image. All lengths are in pixels, except the length of a line, which is in characters.
private struct GraphPicture {
    private static let lineLength = 36
    private static let characterWidth = 8
    private static let lineHeight = 18
    private static let padding = 8
    private static let gap = 96

    /// A line of text with its style.
    private struct Line {
        let text: String
        let kind: String

        /// Breaks a text at spaces into lines that are short enough.
        static func lines(_ text: String, _ kind: String) -> [Line] {
            var lines: [String] = []
            for word in text.split(separator: " ", omittingEmptySubsequences: false) {
                if let last = lines.last, last.count + word.count < GraphPicture.lineLength {
                    lines[lines.count - 1] = last + " " + word
                } else {
                    lines.append((lines.isEmpty ? "" : "  ") + word)
                }
            }
            return lines.map { Line(text: $0, kind: kind) }
        }
    }

    /// A state's box.
    private struct Box {
        let number: Int
        let lines: [Line]
        let rows: [Row]
        var x = 0
        var y = 0

        var width: Int {
            let longest = (lines + rows.flatMap(\.lines)).map(\.text.count).max() ?? 0
            return longest * GraphPicture.characterWidth + 2 * GraphPicture.padding
        }
        var headHeight: Int { lines.count * GraphPicture.lineHeight + 2 * GraphPicture.padding }
        var height: Int { headHeight + rows.map(\.height).reduce(0, +) }
    }

    /// A transition in its state's box.
    private struct Row {
        let transition: PageGraph.Transition
        let lines: [Line]

        init(_ transition: PageGraph.Transition) {
            self.transition = transition
            let target = transition.target.map { $0 == transition.source ? "" : " → \($0)" } ?? " → …"
            lines =
                [Line(text: transition.event.name + target, kind: "event")]
                + transition.given.flatMap { Line.lines($0, "value") }
                + transition.effects.flatMap { Line.lines($0, "effect") }
        }

        var height: Int { lines.count * GraphPicture.lineHeight + GraphPicture.padding }
    }

    private let title: String
    private var boxes: [Box]
    private var width = 0
    private var height = 0

    init(_ graph: PageGraph) {
        title = "The page \(graph.page)"
        boxes = graph.states.enumerated().map { number, state in
            let rows = graph.transitions.filter { $0.source == number }.map(Row.init)
            let lines = graph.lines(of: state).flatMap { Line.lines($0, "state") }
            return Box(number: number, lines: [Line(text: "\(number)", kind: "number")] + lines, rows: rows)
        }
        placeBoxes(by: graph.states.map(\.depth))
    }

    /// Arranges the boxes in columns, one for each depth. Each column is centred.
    private mutating func placeBoxes(by depths: [Int]) {
        let columns = (0...(depths.max() ?? 0)).map { depth in boxes.indices.filter { depths[$0] == depth } }
        func columnHeight(_ column: [Int]) -> Int {
            column.map { boxes[$0].height + Self.lineHeight }.reduce(-Self.lineHeight, +)
        }
        let tallest = columns.map(columnHeight).max() ?? 0
        var x = Self.gap / 2
        for column in columns {
            var y = Self.lineHeight + (tallest - columnHeight(column)) / 2
            for index in column {
                boxes[index].x = x
                boxes[index].y = y
                y += boxes[index].height + Self.lineHeight
            }
            x += (column.map { boxes[$0].width }.max() ?? 0) + Self.gap
        }
        width = x - Self.gap / 2
        height = tallest + 2 * Self.lineHeight
    }

    var svg: String {
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img">
            """,
            "<title>\(xml(title))</title>",
            "<style>",
            "text { font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #222; white-space: pre }",
            ".number, .event { font-weight: bold } .effect { fill: #06c }",
            ".box { fill: #fff; stroke: #444; rx: 6px } .line { stroke: #ccc }",
            ".arrow { fill: none; stroke: #888; stroke-width: 1.5; marker-end: url(#head) } .back { stroke-dasharray: 5 4 }",
            "</style>",
            #"<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">"#,
            ##"<path d="M0 0 10 5 0 10z" fill="#888"/></marker></defs>"##,
            ##"<rect width="100%" height="100%" fill="#fff"/>"##,
        ]
        // Before the boxes, so that no arrow covers a text.
        lines += boxes.flatMap(arrows)
        lines += boxes.flatMap(drawing)
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func drawing(of box: Box) -> [String] {
        var elements = [
            #"<rect class="box" x="\#(box.x)" y="\#(box.y)" width="\#(box.width)" height="\#(box.height)"/>"#
        ]
        var y = box.y + Self.padding
        func write(_ line: Line) {
            y += Self.lineHeight
            let baseline = y - 4
            let x = box.x + Self.padding
            elements.append(#"<text class="\#(line.kind)" x="\#(x)" y="\#(baseline)">\#(xml(line.text))</text>"#)
        }
        box.lines.forEach(write)
        y += Self.padding
        for row in box.rows {
            elements.append(#"<path class="line" d="M\#(box.x) \#(y)h\#(box.width)"/>"#)
            y += Self.padding / 2
            row.lines.forEach(write)
            y += Self.padding / 2
        }
        return elements
    }

    private func arrows(from box: Box) -> [String] {
        var arrows: [String] = []
        var y = box.y + box.headHeight
        for row in box.rows {
            let start = y + (Self.lineHeight + Self.padding) / 2
            y += row.height
            guard let target = row.transition.target, target != box.number else { continue }
            arrows.append(arrow(from: box, at: start, to: boxes[target]))
        }
        return arrows
    }

    /// An arrow to a target: to its left side if it is further right, otherwise around its right side.
    private func arrow(from box: Box, at y: Int, to target: Box) -> String {
        let end = target.y + Self.padding + Self.lineHeight / 2
        if target.x > box.x {
            let (x, bend) = (box.x + box.width, target.x - Self.gap / 2)
            return #"<path class="arrow" d="M\#(x) \#(y)C\#(bend) \#(y) \#(bend) \#(end) \#(target.x) \#(end)"/>"#
        }
        let x = target.x == box.x ? box.x + box.width : box.x
        let edge = target.x + target.width
        let bend = target.x == box.x ? max(x, edge) + Self.gap / 2 : edge + Self.gap / 2
        let first = target.x == box.x ? bend : x - Self.gap / 2
        return #"<path class="arrow back" d="M\#(x) \#(y)C\#(first) \#(y) \#(bend) \#(end) \#(edge) \#(end)"/>"#
    }

    /// The text, escaped for XML. Characters that XML does not allow become question marks.
    private func xml(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": "?"
            default: String(scalar)
            }
        }.joined()
    }
}
