/// What has become of the records, as a person is told.
struct ImportReport {
    var imported = 0
    private(set) var refused = 0
    private(set) var leftOut = 0
    private let size: Int?
    private let isWatched = Terminal.isWatched

    init(size: Int?) {
        self.size = size
    }

    /// Some lines of a batch are refused, and the others left out.
    mutating func refuse(_ lines: [RefusedLine], leavingOut others: Int, from first: Int, to last: Int) {
        clear()
        for line in lines.sorted(by: { $0.line < $1.line }) {
            Terminal.printProgress("line \(line.line): \(line.reason.printable)\n")
        }
        refused += Set(lines.map(\.line)).count
        leftOut += others
        if others > 0 {
            Terminal.printProgress("lines \(first) to \(last): not imported, since something among them was refused\n")
        }
    }

    /// A batch is refused for one of its lines, nobody knows which.
    mutating func refuseAll(from first: Int, to last: Int, _ count: Int, _ reason: String) {
        clear()
        Terminal.printProgress("lines \(first) to \(last): \(reason)\n")
        refused += count
    }

    /// Shows on a terminal how far it is.
    func showProgress(at position: Int) {
        guard isWatched else { return }
        var text = "imported \(imported)"
        if let size, size > 0 {
            let done = min(position, size) * 30 / size
            let bar = String(repeating: "#", count: done) + String(repeating: ".", count: 30 - done)
            text = "[\(bar)] \(min(position, size) * 100 / size) %, \(text)"
        }
        Terminal.printProgress("\r\(text)\u{1B}[K")
    }

    /// Says what has become of all of them.
    func end() {
        clear()
        let others = leftOut > 0 ? ", left out \(leftOut)" : ""
        Terminal.print("imported \(imported), refused \(refused)\(others)")
    }

    private func clear() {
        if isWatched { Terminal.printProgress("\r\u{1B}[K") }
    }
}
