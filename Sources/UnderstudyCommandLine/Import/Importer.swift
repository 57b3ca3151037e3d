import ArgumentParser

/// Where records go.
protocol ImportTarget {
    /// What a record becomes.
    associatedtype Item

    /// What records may say.
    var columns: [String] { get }

    /// What a record becomes.
    ///
    /// - Throws: ``CommandError``.
    func item(_ record: Record) throws(CommandError) -> Item

    /// What cannot be imported beside the other items, or beside what is there.
    func conflicts(among items: [Numbered<Item>]) async throws -> [RefusedLine]

    /// Imports items, all or none.
    ///
    /// - Throws: ``CommandError`` where one of them cannot be imported after all.
    func save(_ items: [Item]) async throws
}

/// Something with the number of the line on which it begins.
struct Numbered<Item> {
    let line: Int
    let item: Item
}

/// Imports records, a batch after the other.
struct Importer<Target: ImportTarget> {
    let target: Target
    let batch: Int

    /// Imports what is read, and says what was done.
    ///
    /// - Throws: `ExitCode` where something was refused.
    func run(_ reader: consuming some RecordReader & ~Copyable) async throws {
        var reader = reader
        var report = ImportReport(size: reader.size)
        while let next = read(&reader) {
            try await take(next, &report)
            report.showProgress(at: reader.position)
        }
        report.end()
        if let error = reader.readError { throw CommandError("The file cannot be read to its end: \(error)") }
        if report.refused > 0 { throw ExitCode.failure }
    }

    private struct Read {
        var items: [Numbered<Target.Item>] = []
        var refused: [RefusedLine] = []
        var last = 0
    }

    /// The next batch; `nil` at the end.
    private func read(_ reader: inout some RecordReader & ~Copyable) -> Read? {
        var result = Read()
        while result.items.count + result.refused.count < batch {
            do throws(RefusedLine) {
                guard let record = try reader.next() else { break }
                result.last = record.line
                do throws(CommandError) {
                    result.items.append(Numbered(line: record.line, item: try target.item(record)))
                } catch {
                    result.refused.append(RefusedLine(line: record.line, reason: error.description))
                }
            } catch {
                result.last = error.line
                result.refused.append(error)
            }
        }
        return result.items.isEmpty && result.refused.isEmpty ? nil : result
    }

    private func take(_ read: Read, _ report: inout ImportReport) async throws {
        let refused = try await read.refused + target.conflicts(among: read.items)
        if refused.isEmpty {
            do {
                try await target.save(read.items.map(\.item))
                report.imported += read.items.count
            } catch let error as CommandError {
                // Somebody has been faster: it is not known which line it is.
                report.refuseAll(from: read.items.first?.line ?? 0, to: read.last, read.items.count, error.description)
            }
        } else {
            let leftOut = read.items.count + read.refused.count - Set(refused.map(\.line)).count
            report.refuse(
                refused,
                leavingOut: leftOut,
                from: min(read.items.first?.line ?? .max, refused[0].line),
                to: read.last
            )
        }
    }
}
