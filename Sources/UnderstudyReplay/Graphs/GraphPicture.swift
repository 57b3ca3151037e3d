/// The image of a graph: boxes in columns, and arrows between them. All lengths are in pixels, except the length of a line, which is
/// in characters.
struct GraphPicture {
    private static let lineLength = 36
    private static let characterWidth = 8
    private static let lineHeight = 18
    private static let padding = 8
    private static let gap = 96

    /// A line of text with its style.
    struct Line {
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

    /// A node of the graph.
    struct Box {
        /// The number of the column, from 0.
        let column: Int
        /// A further class for the style sheet; empty for none.
        let kind: String
        let lines: [Line]
        let rows: [Row]
        fileprivate var x = 0
        fileprivate var y = 0

        init(column: Int, kind: String = "", lines: [Line], rows: [Row]) {
            self.column = column
            self.kind = kind
            self.lines = lines
            self.rows = rows
        }

        fileprivate var width: Int {
            let longest = (lines + rows.flatMap(\.lines)).map(\.text.count).max() ?? 0
            return longest * GraphPicture.characterWidth + 2 * GraphPicture.padding
        }
        fileprivate var headHeight: Int { lines.count * GraphPicture.lineHeight + 2 * GraphPicture.padding }
        fileprivate var height: Int { headHeight + rows.map(\.height).reduce(0, +) }
    }

    /// A part of a box, from which an arrow may lead to another box.
    struct Row {
        /// The index of the other box; `nil` for none.
        let target: Int?
        let lines: [Line]

        fileprivate var height: Int { lines.count * GraphPicture.lineHeight + GraphPicture.padding }
    }

    private let title: String
    private let styles: [String]
    private var boxes: [Box]
    private var width = 0
    private var height = 0

    /// Arranges the boxes.
    ///
    /// - Parameters:
    ///   - title: what the image shows.
    ///   - boxes: the nodes.
    ///   - styles: further lines of the style sheet.
    init(_ title: String, _ boxes: [Box], styles: [String] = []) {
        self.title = title
        self.styles = styles
        self.boxes = boxes
        placeBoxes()
    }

    /// Arranges the boxes in their columns. Each column is centred.
    private mutating func placeBoxes() {
        let columns = (0...(boxes.map(\.column).max() ?? 0)).map { column in
            boxes.indices.filter { boxes[$0].column == column }
        }
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
        ]
        lines += styles
        lines += [
            "</style>",
            #"<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">"#,
            ##"<path d="M0 0 10 5 0 10z" fill="#888"/></marker></defs>"##,
            ##"<rect width="100%" height="100%" fill="#fff"/>"##,
        ]
        // Before the boxes, so that no arrow covers a text.
        lines += boxes.indices.flatMap(arrows)
        lines += boxes.flatMap(drawing)
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func drawing(of box: Box) -> [String] {
        let kind = box.kind.isEmpty ? "" : " " + box.kind
        var elements = [
            #"<rect class="box\#(kind)" x="\#(box.x)" y="\#(box.y)" width="\#(box.width)" height="\#(box.height)"/>"#
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

    private func arrows(from index: Int) -> [String] {
        let box = boxes[index]
        var arrows: [String] = []
        var y = box.y + box.headHeight
        for row in box.rows {
            let start = y + (Self.lineHeight + Self.padding) / 2
            y += row.height
            guard let target = row.target, target != index else { continue }
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
