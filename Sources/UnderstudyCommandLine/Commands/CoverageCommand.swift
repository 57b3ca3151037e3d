import ArgumentParser
import BusinessLogic
import UnderstudyReplay

/// `understudy coverage`.
struct CoverageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("coverage")

    @Argument(help: "Files and folders of recordings. Without any, all outcomes are missing.")
    var recordings: [String] = []

    @OptionGroup var search: SearchOptions

    @Flag(help: "Print the report as a JSON object.")
    var json = false

    func run() async throws {
        let all = try recordings.isEmpty ? [] : RecordingFile.readAll(recordings)
        let progress = ProgressLine(every: .seconds(20))
        let coverage = try await Coverage(
            of: all,
            on: Application.current.pages(.withAllPasswordMessages),
            limits: search.limits,
            onProgress: search.progress(in: progress)
        )
        progress.clear()
        if json {
            Terminal.print(json: coverage.json)
        } else {
            for line in coverage.lines { Terminal.print(line) }
        }
        if coverage.isCut {
            Terminal.printNote("The search has ended after \(search.seconds) s, and could reach more: raise --seconds.")
        }
        if coverage.covered < coverage.count { throw ExitCode.failure }
    }
}

extension Coverage {
    /// The report for a person.
    var lines: [String] {
        var lines: [String] = []
        for page in pages {
            lines.append("\(Terminal.strong(page.name.escaped)): \(Self.share(page.covered, page.count))")
            for missing in page.missing {
                let outcome = missing.outcome
                lines.append("  missing: \(outcome.event), \(outcome.name)\(missing.distance)".escaped)
            }
        }
        return lines + ["\(Terminal.strong("all pages")): \(Self.share(covered, count))"]
    }

    private static func share(_ covered: Int, _ count: Int) -> String {
        // Rounded down, so that only all of them are 100 per cent.
        let percent = count == 0 ? 100 : covered * 100 / count
        return "\(covered) of \(count) outcomes (\(percent) %)"
    }

    /// The report for a program.
    var json: Value {
        [
            "covered": Value(covered), "outcomes": Value(count),
            "pages": .array(
                pages.map { page in
                    [
                        "page": .string(page.name), "covered": Value(page.covered), "outcomes": Value(page.count),
                        "missing": .array(page.missing.map(\.value)),
                    ]
                }
            ),
        ]
    }
}

extension Coverage.Missing {
    fileprivate var distance: String {
        guard let events else { return "; the search does not reach it" }
        return ", after \(String.count(events.count, "event"))"
    }

    fileprivate var value: Value {
        [
            "event": .string(outcome.event), "outcome": .string(outcome.name),
            "events": events.map { .array($0.map(Value.object)) } ?? .null,
        ]
    }
}
