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
    /// - Throws: an error whose description says why it is invalid.
    func item(_ record: Record) throws -> Item

    /// Returns the items that conflict with others of the batch, or with stored ones.
    func conflicts(among items: [(line: Int, item: Item)]) async throws -> [RejectedLine]

    /// Stores items, all or none.
    ///
    /// - Throws: ``CommandError`` if one of them cannot be stored after all.
    func save(_ items: [Item]) async throws
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
        var report = ImportReport()
        while let next = read(&reader) {
            try await save(next, &report)
            report.showProgress(at: reader.lines.position, of: reader.lines.size)
        }
        report.end()
        if let error = reader.lines.error { throw CommandError("The file cannot be read to its end: \(error).") }
        if report.rejected > 0 { throw ExitCode.failure }
    }

    private struct Batch {
        var items: [(line: Int, item: Target.Item)] = []
        var rejected: [RejectedLine] = []
        var last = 0

        /// The lines of the batch for a person.
        var lines: String {
            "lines \(min(items.first?.line ?? last, rejected.first?.line ?? last)) to \(last)"
        }
    }

    /// Reads the next batch; `nil` at the end.
    private func read(_ reader: inout JSONLinesReader) -> Batch? {
        var result = Batch()
        while result.items.count + result.rejected.count < batchSize {
            do throws(RejectedLine) {
                guard let record = try reader.next() else { break }
                result.last = record.line
                result.items.append((record.line, try item(record)))
            } catch {
                result.last = error.line
                result.rejected.append(error)
            }
        }
        return result.items.isEmpty && result.rejected.isEmpty ? nil : result
    }

    private func item(_ record: Record) throws(RejectedLine) -> Target.Item {
        // No page accepts such a text, and no database stores it.
        if let column = record.values.filter({ $0.value.containsNUL }).map(\.key).min() {
            throw RejectedLine(line: record.line, reason: "the value of '\(column)' contains U+0000")
        }
        do {
            return try target.item(record)
        } catch {
            throw RejectedLine(line: record.line, reason: "\(error)")
        }
    }

    private func save(_ batch: Batch, _ report: inout ImportReport) async throws {
        let rejected = try await batch.rejected + target.conflicts(among: batch.items)
        guard rejected.isEmpty else {
            let numbers = Set(rejected.map(\.line))
            let others = batch.items.count + batch.rejected.count - numbers.count
            var reasons = rejected.sorted { $0.line < $1.line }.map { "line \($0.line): \($0.reason.printable)" }
            if others > 0 {
                reasons.append("\(batch.lines): not imported, because a line of this batch was rejected")
            }
            return report.reject(numbers.count, leavingOut: others, reasons)
        }
        do {
            try await target.save(batch.items.map(\.item))
            report.imported += batch.items.count
        } catch let error as CommandError {
            // Another process has stored a conflicting item since the check; the store does not report which line conflicts.
            report.reject(batch.items.count, ["\(batch.lines): \(error)"])
        }
    }
}

/// Counts imported and rejected lines, and prints a report.
private struct ImportReport {
    var imported = 0
    private(set) var rejected = 0
    private var leftOut = 0
    private let line = ProgressLine()

    /// Reports that lines of a batch were rejected, or all because of one that is unknown.
    ///
    /// - Parameters:
    ///   - others: the number of the batch's other lines, which are left out.
    ///   - reasons: a line for each reason.
    mutating func reject(_ rejected: Int, leavingOut others: Int = 0, _ reasons: [String]) {
        self.rejected += rejected
        leftOut += others
        line.clear()
        for reason in reasons { Terminal.printProgress("\(reason)\n") }
    }

    /// Shows a progress bar, if standard error is a terminal.
    func showProgress(at position: Int, of size: Int?) {
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
