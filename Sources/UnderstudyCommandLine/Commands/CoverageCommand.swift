import ArgumentParser
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
