import ArgumentParser
import BusinessLogic

/// Converts and stores the records of a file.
protocol ImportTarget {
    /// The type to which records are converted.
    associatedtype Item

    /// The names of the members that a record may have; `nil` for any.
    var members: [String]? { get }

    /// Converts a record.
    ///
    /// - Throws: ``CommandError`` if it is invalid.
    func item(_ record: Record) throws(CommandError) -> Item

    /// Returns the items that conflict with others of the batch, or with stored ones.
    func conflicts(among items: [Numbered<Item>]) async throws -> [RejectedLine]

    /// Stores items, all or none.
    ///
    /// - Throws: ``CommandError`` if one of them cannot be stored after all.
    func save(_ items: [Item]) async throws
}

/// An item with the number of its line.
struct Numbered<Item> {
    let line: Int
    let item: Item
}

/// Imports records batch by batch.
struct RecordImporter<Target: ImportTarget> {
    let target: Target
    let batchSize: Int

    /// Imports all records, and prints a report.
    ///
    /// - Throws: `ExitCode` if a line was rejected; ``CommandError`` if the file cannot be read to its end.
    func run(_ reader: consuming JSONLinesReader) async throws {
        var reader = reader
        var report = ImportReport(size: reader.size)
        while let next = read(&reader) {
            try await save(next, &report)
            report.showProgress(at: reader.position)
        }
        report.end()
        if let error = reader.readError { throw CommandError("The file cannot be read to its end: \(error).") }
        if report.rejected > 0 { throw ExitCode.failure }
    }

    private struct Batch {
        var items: [Numbered<Target.Item>] = []
        var rejected: [RejectedLine] = []
        var last = 0
    }

    /// Reads the next batch; `nil` at the end.
    private func read(_ reader: inout JSONLinesReader) -> Batch? {
        var result = Batch()
        while result.items.count + result.rejected.count < batchSize {
            do throws(RejectedLine) {
                guard let record = try reader.next() else { break }
                result.last = record.line
                // No page accepts such a text, and no database stores it.
                if let column = record.values.filter({ $0.value.containsNUL }).map(\.key).min() {
                    throw RejectedLine(line: record.line, reason: "the value of '\(column)' contains U+0000")
                }
                do throws(CommandError) {
                    result.items.append(Numbered(line: record.line, item: try target.item(record)))
                } catch {
                    result.rejected.append(RejectedLine(line: record.line, reason: error.description))
                }
            } catch {
                result.last = error.line
                result.rejected.append(error)
            }
        }
        return result.items.isEmpty && result.rejected.isEmpty ? nil : result
    }

    private func save(_ batch: Batch, _ report: inout ImportReport) async throws {
        let rejected = try await batch.rejected + target.conflicts(among: batch.items)
        if rejected.isEmpty {
            do {
                try await target.save(batch.items.map(\.item))
                report.imported += batch.items.count
            } catch let error as CommandError {
                // Another process has stored a conflicting item since the check; the store does not report which line conflicts.
                report.rejectAll(
                    from: batch.items.first?.line ?? 0,
                    to: batch.last,
                    batch.items.count,
                    error.description
                )
            }
        } else {
            let leftOut = batch.items.count + batch.rejected.count - Set(rejected.map(\.line)).count
            report.reject(
                rejected,
                leavingOut: leftOut,
                from: min(batch.items.first?.line ?? .max, rejected[0].line),
                to: batch.last
            )
        }
    }
}

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
