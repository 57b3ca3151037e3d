import BusinessLogic
import FoundationEssentials
import UnderstudyReplay

/// A file of differences and of outcomes that no version reaches, which people have reviewed, each with a reason.
struct AcceptedDifferences {
    private let path: String
    private var entries: [Entry]

    private struct Entry: Codable, Equatable {
        /// The page and its event; `nil` for a difference in a document.
        var page: String?
        var event: String?
        var cause: String?
        /// What the event declares, and no version has given.
        var unreached: String?
        /// The document, the pointer in it, and what the new version has there.
        var document: String?
        var pointer: String?
        var new: String?
        let reason: String
    }

    private struct Content: Codable {
        var accepted: [Entry]
    }

    /// Reads the file. One that does not exist contains no differences.
    ///
    /// - Throws: ``CommandError`` with the status of `EX_NOINPUT` in sysexits.h.
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

    /// Adds all differences that the file does not contain.
    ///
    /// - Parameter addsUnreached: whether to add the outcomes that were not reached.
    mutating func add(_ report: ComparisonReport, reason: String, addsUnreached: Bool) {
        for page in report.pages {
            for difference in page.differences where !contains(difference, of: page.name) {
                entries.append(Entry(page: page.name, event: difference.event, cause: difference.cause, reason: reason))
            }
            for outcome in page.unreached where addsUnreached && !contains(outcome) {
                entries.append(Entry(page: page.name, event: outcome.event, unreached: outcome.name, reason: reason))
            }
        }
        for difference in report.documents where !contains(difference) {
            entries.append(
                Entry(
                    document: difference.document,
                    pointer: difference.pointer,
                    new: difference.new,
                    reason: reason
                )
            )
        }
    }

    /// Writes the file.
    ///
    /// - Throws: ``CommandError``.
    func write() throws(CommandError) {
        do {
            let data = try JSONEncoder.indented.encode(Content(accepted: entries)) + Data("\n".utf8)
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError("The file '\(path)' cannot be written: \(error.systemReason).")
        }
    }

    /// Removes what is accepted from a report.
    ///
    /// - Returns: the number of differences and of outcomes that were removed.
    func remove(from report: inout ComparisonReport) -> (differences: Int, unreached: Int) {
        func counts() -> (differences: Int, unreached: Int) {
            report.pages.reduce((report.documents.count, 0)) {
                ($0.0 + $1.differences.count, $0.1 + $1.unreached.count)
            }
        }
        let before = counts()
        report.documents.removeAll(where: contains)
        for index in report.pages.indices {
            let name = report.pages[index].name
            report.pages[index].remove(differences: { contains($0, of: name) }, unreached: contains)
        }
        let after = counts()
        return (before.differences - after.differences, before.unreached - after.unreached)
    }

    func contains(_ difference: ComparisonReport.Difference, of page: String) -> Bool {
        entries.contains { $0.page == page && $0.event == difference.event && $0.cause == difference.cause }
    }

    private func contains(_ outcome: PageOutcome) -> Bool {
        entries.contains { $0.page == outcome.page && $0.event == outcome.event && $0.unreached == outcome.name }
    }

    private func contains(_ difference: DocumentDifference) -> Bool {
        entries.contains {
            $0.document == difference.document && $0.pointer == difference.pointer && $0.new == difference.new
        }
    }
}
