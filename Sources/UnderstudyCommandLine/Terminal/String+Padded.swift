extension String {
    /// A number of things: `1 event`, `2 events`.
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// The text with spaces after it, so that it has at least `width` code points.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - unicodeScalars.count))
    }

    /// A row of a table, without spaces at its end.
    ///
    /// - Parameters:
    ///   - texts: the texts of the columns.
    ///   - widths: the widths of the first columns, in code points. A longer text moves those after it.
    static func row(_ texts: [String], widths: [Int], separator: String = "  ") -> String {
        let columns = texts.enumerated().map { index, text in
            index < widths.count ? text.padded(to: widths[index]) : text
        }
        var row = columns.joined(separator: separator).unicodeScalars
        while row.last == " " { row.removeLast() }
        return String(row)
    }
}
