import ArgumentParser
import BusinessLogic
import Foundation
import Understudy
import UnderstudyReplay

/// `understudy impact`.
struct ImpactCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "impact",
            abstract: "Replay many recordings, and print how many have changed, and why.",
            discussion: """
                The command replays recordings as '\(Application.current.commandName) replay' does, several at once. It prints how \
                many are unchanged, changed, partly compared (no difference, but an event that cannot be compared) and not \
                replayable, and these in groups: recordings whose first difference is at the same event of the same page, in the same \
                command, code, field, problem, user, validation rule or collaborator. For each group, it prints the number of \
                recordings, and the first difference of the shortest one as 'replay' does, in which texts of more than 1000 characters \
                are cut.

                A folder means all files in it whose names end in '.jsonl', and those in its subfolders. A recording counts only \
                for its first difference, because later ones can be consequences.

                Exit status: 0 all recordings are unchanged, 1 a recording has changed, 2 none has changed, but one is partly compared \
                or not replayable, 64 wrong usage, 66 a path that does not exist, or a folder without \
                recordings, 70 pages that cannot be created.
                """
        )
    }

    @Argument(help: "Files and folders of recordings; '-' is standard input.")
    var recordings: [String]

    @Option(help: "The number of recordings to replay at once. (default: the number of processors)")
    var jobs: Count?

    @Flag(help: "Print the report as a JSON object.")
    var json = false

    func run() async throws {
        let files = try RecordingSearch(recordings).files
        let report = try await Self.replay(files, jobs: jobs?.number ?? ProcessInfo.processInfo.activeProcessorCount)
        if json {
            Terminal.print(String(decoding: report.json.json.dropLast(), as: UTF8.self).escaped)
        } else {
            for line in report.lines { Terminal.print(line) }
        }
        if report.count(.changed) > 0 { throw ExitCode.failure }
        if report.count(.unchanged) < report.count { throw ExitCode(2) }
    }

    /// Replays the files in `jobs` tasks.
    private static func replay(_ files: [String], jobs: Int) async throws -> ImpactReport {
        let progress = ReplayProgress(count: files.count)
        defer { progress.end() }
        return try await withThrowingTaskGroup(of: ImpactReport.self) { group in
            for _ in 0..<min(jobs, files.count) {
                group.addTask {
                    var report = ImpactReport()
                    while let index = progress.next() {
                        try await replay(files[index], to: &report)
                    }
                    return report
                }
            }
            var report = ImpactReport()
            for try await part in group { report.add(part) }
            return report
        }
    }

    private static func replay(_ file: String, to report: inout ImpactReport) async throws {
        do {
            let recording = try RecordingFile.read(file)
            report.add(recording, try await recording.findings(on: pages()), of: file)
        } catch let error as RecordingFile.Failure {
            report.add(error, of: file)
        } catch let error as RecordingError {
            report.add(.invalid(error), of: file)
        }
    }

    /// New pages, so that no recording has an effect on another one.
    ///
    /// - Throws: ``CommandError`` with the status of `EX_SOFTWARE` in sysexits.h if the program cannot create them.
    private static func pages() throws(CommandError) -> [Page] {
        do {
            return try Application.current.pages(PageDependencies())
        } catch {
            throw CommandError("The pages cannot be created: \(error).", status: 70)
        }
    }
}
