/// Counts imported and rejected lines, and prints a report.
struct ImportReport {
    var imported = 0
    private(set) var rejected = 0
    private(set) var leftOut = 0
    private let size: Int?
    private let line = ProgressLine()

    init(size: Int?) {
        self.size = size
    }

    /// Reports rejected lines of a batch, whose other lines are left out.
    mutating func reject(_ lines: [RejectedLine], leavingOut others: Int, from first: Int, to last: Int) {
        line.clear()
        for line in lines.sorted(by: { $0.line < $1.line }) {
            Terminal.printProgress("line \(line.line): \(line.reason.printable)\n")
        }
        rejected += Set(lines.map(\.line)).count
        leftOut += others
        if others > 0 {
            Terminal.printProgress(
                "lines \(first) to \(last): not imported, because a line of this batch was rejected\n"
            )
        }
    }

    /// Reports that a batch was rejected because of one line, which is unknown.
    mutating func rejectAll(from first: Int, to last: Int, _ count: Int, _ reason: String) {
        line.clear()
        Terminal.printProgress("lines \(first) to \(last): \(reason)\n")
        rejected += count
    }

    /// Shows a progress bar, if standard error is a terminal.
    func showProgress(at position: Int) {
        var text = "imported \(imported)"
        if let size, size > 0 {
            let done = min(position, size) * 30 / size
            let bar = String(repeating: "#", count: done) + String(repeating: ".", count: 30 - done)
            text = "[\(bar)] \(min(position, size) * 100 / size) %, \(text)"
        }
        line.show(text)
    }

    /// Prints the totals.
    func end() {
        line.clear()
        let others = leftOut > 0 ? ", left out \(leftOut)" : ""
        Terminal.print("imported \(imported), rejected \(rejected)\(others)")
    }
}
