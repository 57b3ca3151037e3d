import ArgumentParser
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
