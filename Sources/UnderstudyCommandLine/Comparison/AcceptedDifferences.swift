import BusinessLogic
import FoundationEssentials
import UnderstudyReplay

/// A file of differences and of outcomes that no version reaches, which people have reviewed, each with a reason.
struct AcceptedDifferences {
    private let path: String
    private var entries: [Entry]

    fileprivate struct Entry: Codable, Equatable {
        var page: String
        var event: String
        var cause: String?
        /// What the event declares, and no version has given.
        var unreached: String?
        /// Why it is right; empty for what is looked for.
        var reason = ""
    }

    private struct Content: Codable {
        var accepted: [Entry]
    }

    /// Reads the file. One that does not exist contains no differences. An error has the status of `EX_NOINPUT` in sysexits.h.
    init(contentsOf path: String) throws(CommandError) {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            entries = []
            return
        }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            entries = try JSONDecoder().decode(Content.self, from: data).accepted
        } catch {
            throw CommandError(
                "The file '\(path)' cannot be read, or is not a file that '--accept' with '--reason' has written.",
                status: 66
            )
        }
    }

    /// Adds all differences that the file does not contain, and if `addsUnreached`, the outcomes that were not reached.
    mutating func add(_ report: ComparisonReport, reason: String, addsUnreached: Bool) {
        let found = report.pages.flatMap { page in
            page.differences.map(Entry.init) + (addsUnreached ? page.unreached.map(Entry.init) : [])
        }
        for var entry in found where !contains(entry) {
            entry.reason = reason
            entries.append(entry)
        }
    }

    func write() throws(CommandError) {
        do {
            let data = try JSONEncoder.indented.encode(Content(accepted: entries)) + Data("\n".utf8)
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError("The file '\(path)' cannot be written: \(error.systemReason).")
        }
    }

    /// Removes what is accepted from a report. Returns how many differences and outcomes were removed.
    func remove(from report: inout ComparisonReport) -> (differences: Int, unreached: Int) {
        func remove<Element>(from list: inout [Element], _ entry: (Element) -> Entry) -> Int {
            let count = list.count
            list.removeAll { contains(entry($0)) }
            return count - list.count
        }
        var removed = (differences: 0, unreached: 0)
        for index in report.pages.indices {
            removed.differences += remove(from: &report.pages[index].differences, Entry.init)
            removed.unreached += remove(from: &report.pages[index].unreached, Entry.init)
        }
        return removed
    }

    private func contains(_ entry: Entry) -> Bool {
        entries.contains { accepted in
            var accepted = accepted
            accepted.reason = entry.reason
            return accepted == entry
        }
    }
}

extension AcceptedDifferences.Entry {
    init(_ difference: ComparisonReport.Difference) {
        self.init(page: difference.page, event: difference.event, cause: difference.cause)
    }

    init(_ outcome: PageOutcome) {
        self.init(page: outcome.page, event: outcome.event, unreached: outcome.name)
    }
}
