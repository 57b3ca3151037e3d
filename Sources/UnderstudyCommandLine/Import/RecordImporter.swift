import ArgumentParser
import BusinessLogic
import Synchronization
import UnixSignals

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
        let report = ImportReport(size: reader.lines.size)
        let interruption = Task { await report.endAtSignal() }
        defer { interruption.cancel() }
        while let next = read(&reader) {
            try await save(next, report)
            report.showProgress(at: reader.lines.position)
        }
        report.end()
        if let error = reader.lines.error { throw CommandError("The file cannot be read to its end: \(error).") }
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

    private func save(_ batch: Batch, _ report: ImportReport) async throws {
        let rejected = try await batch.rejected + target.conflicts(among: batch.items)
        if rejected.isEmpty {
            let first = batch.items.first?.line ?? 0
            report.begin(from: first, to: batch.last)
            do {
                try await target.save(batch.items.map(\.item))
                report.add(batch.items.count)
            } catch let error as CommandError {
                // Another process has stored a conflicting item since the check; the store does not report which line conflicts.
                report.rejectAll(
                    from: first,
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
final class ImportReport: Sendable {
    private struct Counts {
        var imported = 0
        var rejected = 0
        var leftOut = 0
        /// The first and the last line of the batch that is being stored; `nil` if none is.
        var batch: (first: Int, last: Int)?
    }

    private let size: Int?
    private let line = ProgressLine()
    private let counts = Mutex(Counts())

    init(size: Int?) {
        self.size = size
    }

    var rejected: Int { counts.withLock(\.rejected) }

    /// Notes that a batch is being stored.
    func begin(from first: Int, to last: Int) {
        counts.withLock { $0.batch = (first, last) }
    }

    /// Notes that a batch is stored.
    func add(_ imported: Int) {
        counts.withLock { counts in
            counts.imported += imported
            counts.batch = nil
        }
    }

    /// Reports rejected lines of a batch, whose other lines are left out.
    func reject(_ lines: [RejectedLine], leavingOut others: Int, from first: Int, to last: Int) {
        counts.withLock { counts in
            counts.rejected += Set(lines.map(\.line)).count
            counts.leftOut += others
        }
        line.clear()
        for line in lines.sorted(by: { $0.line < $1.line }) {
            Terminal.printProgress("line \(line.line): \(line.reason.printable)\n")
        }
        if others > 0 {
            Terminal.printProgress(
                "lines \(first) to \(last): not imported, because a line of this batch was rejected\n"
            )
        }
    }

    /// Reports that a batch was rejected because of one line, which is unknown.
    func rejectAll(from first: Int, to last: Int, _ count: Int, _ reason: String) {
        line.clear()
        Terminal.printProgress("lines \(first) to \(last): \(reason)\n")
        counts.withLock { counts in
            counts.rejected += count
            counts.batch = nil
        }
    }

    /// Shows a progress bar, if standard error is a terminal.
    func showProgress(at position: Int) {
        var text = "imported \(counts.withLock(\.imported))"
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
        let counts = counts.withLock { $0 }
        let others = counts.leftOut > 0 ? ", left out \(counts.leftOut)" : ""
        Terminal.print("imported \(counts.imported), rejected \(counts.rejected)\(others)")
    }

    /// At SIGINT or SIGTERM, prints the totals, and ends the process. Does nothing in tests, whose process runs other commands as well.
    func endAtSignal() async {
        guard Terminal.redirection == nil else { return }
        for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
            end()
            if let batch = counts.withLock(\.batch) {
                Terminal.printNote(
                    "stopped while lines \(batch.first) to \(batch.last) were stored: they may be imported"
                )
            } else {
                Terminal.printNote("stopped before the end of the file")
            }
            SecondSignalService.end(by: signal.rawValue)
        }
    }
}
