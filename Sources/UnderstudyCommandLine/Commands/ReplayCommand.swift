import ArgumentParser
import FoundationEssentials
import Understudy
import UnderstudyReplay

struct ReplayCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("replay") }

    @Argument(help: "Files and folders of recordings; '-' is standard input.", completion: .file())
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
        let (recording, findings): (Recording, [Recording.Finding])
        do { (recording, findings) = try await self.findings(in: file) } catch let error as RecordingFile.Failure {
            // The status that several recordings have if one of them cannot be replayed.
            throw CommandError("The file '\(file)' cannot be replayed: \(error).", status: 2)
        }
        if recording.isCut {
            Terminal.printProgress("\(file.escaped): the last line is incomplete; the events before it are replayed.\n")
        }
        // No text of the recording can begin a line or control the terminal.
        for finding in findings {
            Terminal.print("\(file.escaped): \(finding.lines(\.escaped).joined(separator: "\n"))")
        }
        let notCompared = findings.count(where: \.isNotCompared)
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
            let (recording, findings) = try await findings(in: file)
            return ReplayReport.Group(recording, findings, of: file)
        } catch let error as RecordingFile.Failure {
            return ReplayReport.Group(error, of: file)
        }
    }

    /// The recording, and what its replay shows on new pages, so that no recording has an effect on another one. Throws ``CommandError`` with
    /// the status of `EX_SOFTWARE` in sysexits.h if the program cannot create the pages.
    private static func findings(in file: String) async throws -> (Recording, [Recording.Finding]) {
        let recording = try RecordingFile.read(file)
        let pages = try CommandError.explaining("The pages cannot be created", status: 70) {
            try Application.current.pages(PageDependencies())
        }
        do { return (recording, try await recording.findings(on: pages)) } catch let error as RecordingError {
            throw RecordingFile.Failure.invalid(error)
        }
    }
}
