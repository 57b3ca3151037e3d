import ArgumentParser
import BusinessLogic
import Understudy
import UnderstudyReplay

/// `understudy coverage`.
struct CoverageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Print which outcomes of the pages' events recordings contain, and which are missing.",
        discussion: """
            The outcomes of an event are the messages, destinations and outputs that it declares, and the problems of its fields \
            that a search finds with the inputs of 'compare'. For each missing outcome, the command prints the shortest \
            sequence of events that leads to it, as far as the search finds one. No collaborator is called.

            Recordings come from 'serve --record FOLDER', or from tests: with the variable UNDERSTUDY_RECORDINGS=FOLDER, rehearsals \
            in the mode 'replayed' keep theirs in that folder.

            Exit status: 0 the recordings contain all outcomes, 1 some are missing, 64 wrong usage, 66 a path that does not \
            exist, or a folder without recordings.
            """
    )

    @Argument(help: "Files and folders of recordings. Without any, all outcomes are missing.")
    var recordings: [String] = []

    @OptionGroup var search: SearchOptions

    @Flag(help: "Print the report as a JSON object.")
    var json = false

    @Flag(help: "Print a Swift Testing source file with a test for each missing outcome of a controller.")
    var emitTest = false

    func validate() throws {
        if json, emitTest { throw ValidationError("Choose one of '--json' and '--emit-test'.") }
    }

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
        if emitTest {
            Terminal.print(try Application.current.testSource(of: Self.tests(of: coverage)), terminator: "")
        } else if json {
            Terminal.print(json: coverage.json)
        } else {
            for line in coverage.lines { Terminal.print(line) }
        }
        if coverage.isCut {
            Terminal.printNote("The search has ended after \(search.seconds) s, and could reach more: raise --seconds.")
        }
        if coverage.covered < coverage.count { throw ExitCode.failure }
    }

    /// The sequences to the missing outcomes, each once: one sequence can end with several of them.
    private static func tests(of coverage: Coverage) throws -> [(name: String, recording: Recording)] {
        var known: [[Value.Object]] = []
        var tests: [(name: String, recording: Recording)] = []
        // A rejected request runs no controller.
        for missing in coverage.pages.flatMap(\.missing) where !missing.outcome.isProblem {
            guard let events = missing.events, !known.contains(events) else { continue }
            let recording = try Recording(events: events, UnderstudyService.version)
            known.append(events)
            let outcome = missing.outcome
            tests.append(("\(outcome.page) \(outcome.event) \(outcome.name)", recording))
        }
        return tests
    }
}
