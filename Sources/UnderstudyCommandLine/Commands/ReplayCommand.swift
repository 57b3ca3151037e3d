import ArgumentParser
import BusinessLogic
import FoundationEssentials
import Understudy
import UnderstudyReplay

/// `understudy replay`.
struct ReplayCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("replay") }

    @Argument(help: "Files and folders of recordings; '-' is standard input.")
    var recordings: [String]

    func run() async throws {
        let files = try RecordingFile.files(recordings)
        if files.count == 1 {
            try await Self.replay(files[0])
        } else {
            try await Self.replay(files)
        }
    }

    // MARK: One recording

    /// Prints each difference.
    private static func replay(_ file: String) async throws {
        let recording = try read(file)
        let findings: [Recording.Finding]
        do {
            findings = try await recording.findings(on: pages())
        } catch let error as RecordingError {
            throw cannotReplay(file, .invalid(error))
        }
        // No text of the recording can begin a line or control the terminal.
        for finding in findings {
            Terminal.print("\(file.escaped): \(finding.lines(\.escaped).joined(separator: "\n"))")
        }
        let notCompared = findings.filter(\.isNotCompared).count
        let differences = findings.count - notCompared
        let events = count(recording.events.count, "event")
        let rest = notCompared == 0 ? "" : ", \(notCompared) not compared"
        Terminal.print("\(file.escaped): \(count(differences, "difference")) (\(events)\(rest))")
        if differences > 0 { throw ExitCode.failure }
        if notCompared > 0 { throw ExitCode(2) }
    }

    /// `no event`, `1 event`, `2 events`.
    private static func count(_ count: Int, _ noun: String) -> String {
        count == 0 ? "no \(noun)" : .count(count, noun)
    }

    /// - Throws: ``CommandError`` if the file cannot be read, or is not a recording.
    private static func read(_ file: String) throws(CommandError) -> Recording {
        let recording: Recording
        do {
            recording = try RecordingFile.read(file)
        } catch {
            throw cannotReplay(file, error)
        }
        if recording.isCut {
            Terminal.printProgress("\(file.escaped): the last line is incomplete; the events before it are replayed.\n")
        }
        return recording
    }

    /// An error with the status that several recordings have if one of them cannot be replayed.
    private static func cannotReplay(_ file: String, _ failure: RecordingFile.Failure) -> CommandError {
        CommandError("The file '\(file)' cannot be replayed: \(failure).", status: 2)
    }

    // MARK: Several recordings

    /// Prints groups.
    private static func replay(_ files: [String]) async throws {
        let report = try await report(on: files)
        for line in report.lines { Terminal.print(line) }
        if report.count(.changed) > 0 { throw ExitCode.failure }
        if report.count(.unchanged) < report.count { throw ExitCode(2) }
    }

    /// Replays as many files at the same time as there are processors.
    private static func report(on files: [String]) async throws -> ReplayReport {
        let progress = ProgressLine()
        defer { progress.clear() }
        return try await withThrowingTaskGroup(of: ReplayReport.Group.self) { group in
            var report = ReplayReport()
            for (index, file) in files.enumerated() {
                let isBusy = index >= ProcessInfo.processInfo.activeProcessorCount
                if isBusy, let part = try await group.next() { report.add(part) }
                progress.show("\(index) of \(files.count) recordings")
                group.addTask { try await replayed(file) }
            }
            for try await part in group { report.add(part) }
            return report
        }
    }

    private static func replayed(_ file: String) async throws -> ReplayReport.Group {
        do {
            let recording = try RecordingFile.read(file)
            return ReplayReport.Group(recording, try await recording.findings(on: pages()), of: file)
        } catch let error as RecordingFile.Failure {
            return ReplayReport.Group(error, of: file)
        } catch let error as RecordingError {
            return ReplayReport.Group(.invalid(error), of: file)
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
