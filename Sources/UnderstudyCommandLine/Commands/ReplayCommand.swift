import ArgumentParser
import BusinessLogic
import FoundationEssentials
import Understudy
import UnderstudyReplay

/// `understudy replay`.
struct ReplayCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "replay",
            abstract: "Replay recorded sessions with the current controllers.",
            discussion: """
                The command prints what differs at each event: what was recorded, and what the current controllers give now. A \
                later difference can be a consequence of an earlier one. It compares commands, errors, problems, the user, and the \
                results of validation rules. It prints which events it cannot compare, and why, for example because their \
                responses depend on a password, which recordings do not contain.

                Exit status: 0 no difference, 1 a difference or a failure, 2 no difference, but an event that cannot be compared, \
                64 wrong usage. '\(Application.current.commandName) serve --demo --record FOLDER' records sessions; GET \
                /session/recording downloads one.
                """
        )
    }

    @Argument(help: "The files of the recordings; '-' is standard input.")
    var files: [String]

    @Flag(help: "Print a Swift Testing source file that replays the recordings, instead of replaying them.")
    var emitTest = false

    func run() async throws {
        if emitTest {
            Terminal.print(try testSource().escapedSource, terminator: "")
            return
        }
        var status: ExitCode?
        for file in files {
            let recording = try Self.read(file)
            let findings = try await Self.findings(in: recording, file)
            // No text of the recording can begin a line or control the terminal.
            for finding in findings {
                Terminal.print("\(file.escaped): \(finding.lines(\.escaped).joined(separator: "\n"))")
            }
            let notCompared = findings.filter(\.isNotCompared).count
            let differences = findings.count - notCompared
            let events = Self.count(recording.events.count, "event")
            let rest = notCompared == 0 ? "" : ", \(notCompared) not compared"
            Terminal.print("\(file.escaped): \(Self.count(differences, "difference")) (\(events)\(rest))")
            if differences > 0 {
                status = .failure
            } else if notCompared > 0, status == nil {
                status = ExitCode(2)
            }
        }
        if let status { throw status }
    }

    /// `no event`, `1 event`, `2 events`.
    private static func count(_ count: Int, _ noun: String) -> String {
        switch count {
        case 0: "no \(noun)"
        case 1: "1 \(noun)"
        default: "\(count) \(noun)s"
        }
    }

    private func testSource() throws(CommandError) -> String {
        var recordings: [(name: String, recording: Recording)] = []
        for file in files {
            let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            recordings.append((name, try Self.read(file)))
        }
        return try Application.current.testSource(of: recordings)
    }

    /// - Throws: ``CommandError`` if the file cannot be read, or is not a recording.
    private static func read(_ file: String) throws(CommandError) -> Recording {
        let recording: Recording
        do {
            recording = try RecordingFile.read(file)
        } catch .unreadable {
            throw CommandError("The file '\(file)' cannot be read.")
        } catch {
            throw CommandError("The file '\(file)' cannot be replayed: \(error).")
        }
        if recording.isCut {
            Terminal.printProgress("\(file.escaped): the last line is incomplete; the events before it are replayed.\n")
        }
        return recording
    }

    private static func findings(in recording: Recording, _ file: String) async throws -> [Recording.Finding] {
        do {
            return try await recording.findings(on: Application.current.pages(PageDependencies()))
        } catch {
            throw CommandError("The file '\(file)' cannot be replayed: \(error).")
        }
    }
}
