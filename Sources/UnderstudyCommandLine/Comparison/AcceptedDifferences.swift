import BusinessLogic
import Foundation
import UnderstudyReplay

/// A file of differences that people have reviewed, each with a reason.
struct AcceptedDifferences {
    private let path: String
    private var entries: [Entry]

    private struct Entry: Codable, Equatable {
        /// The page and its event; `nil` for a difference in a document.
        var page: String?
        var event: String?
        var cause: String?
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
    mutating func add(_ report: ComparisonReport, reason: String) {
        for page in report.pages {
            for group in page.differences where !contains(group, of: page.name) {
                entries.append(Entry(page: page.name, event: group.event, cause: group.cause, reason: reason))
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let data = try encoder.encode(Content(accepted: entries)) + Data("\n".utf8)
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError("The file '\(path)' cannot be written: \(error.localizedDescription)")
        }
    }

    /// Removes the accepted differences from a report.
    ///
    /// - Returns: the number of groups and of differences in documents that were removed.
    func remove(from report: inout ComparisonReport) -> Int {
        var count = report.documents.count
        report.documents.removeAll(where: contains)
        count -= report.documents.count
        for index in report.pages.indices {
            let name = report.pages[index].name
            count += report.pages[index].differences.count
            report.pages[index].removeDifferences { contains($0, of: name) }
            count -= report.pages[index].differences.count
        }
        return count
    }

    private func contains(_ group: ComparisonReport.Group, of page: String) -> Bool {
        entries.contains { $0.page == page && $0.event == group.event && $0.cause == group.cause }
    }

    private func contains(_ difference: DocumentDifference) -> Bool {
        entries.contains {
            $0.document == difference.document && $0.pointer == difference.pointer && $0.new == difference.new
        }
    }
}
