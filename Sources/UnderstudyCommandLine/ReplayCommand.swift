import ArgumentParser
import BundledPages
import BusinessLogic
import Foundation
import Understudy
import UnderstudyReplay

/// `understudy replay`.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play recorded sessions with today's controllers.",
        discussion: """
            Prints the first difference of each session, and ends with status 1 where there is one. A session is recorded \
            by 'understudy serve --demo --record FOLDER', and got from there by GET /session/recording.
            """
    )

    @Argument(help: "Recordings.")
    var files: [String]

    @Flag(help: "Print a Swift Testing source file that does the same, instead of playing them.")
    var emitTest = false

    func run() async throws {
        if emitTest {
            Terminal.print(try testSource().escapedSource, terminator: "")
            return
        }
        var differ = false
        for file in files {
            let recording = try Self.read(file)
            if let difference = try await Self.difference(of: recording, file) {
                differ = true
                Terminal.print("\(file.escaped): \(difference.escaped)")
            } else {
                let count = recording.playable.count
                Terminal.print("\(file.escaped): no difference (\(count == 1 ? "1 event" : "\(count) events"))")
            }
        }
        if differ { throw ExitCode.failure }
    }

    private func testSource() throws(CommandError) -> String {
        var recordings: [(name: String, recording: Recording)] = []
        for file in files {
            let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            recordings.append((name, try Self.read(file)))
        }
        do {
            return try Recording.testSource(of: recordings, on: Page.bundled())
        } catch {
            throw CommandError("There is no test to be made: \(error).")
        }
    }

    /// - Throws: ``CommandError`` where it cannot be read.
    private static func read(_ file: String) throws(CommandError) -> Recording {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw CommandError("The file '\(file)' cannot be read.")
        }
        do {
            let recording = try Recording(Array(data))
            if recording.isCut {
                Terminal.printProgress("\(file.escaped): the last line is cut off; the events before it are played.\n")
            }
            if recording.playable.count < recording.events.count {
                Terminal.printProgress(
                    "\(file.escaped): nobody waited for event \(recording.playable.count + 1); the events before it are played.\n"
                )
            }
            return recording
        } catch {
            throw CommandError("The file '\(file)' cannot be replayed: \(error).")
        }
    }

    private static func difference(of recording: Recording, _ file: String) async throws -> Recording.Difference? {
        do {
            return try await recording.firstDifference(on: Page.bundled())
        } catch {
            throw CommandError("The file '\(file)' cannot be replayed: \(error).")
        }
    }
}

extension Recording.Difference {
    /// The description, in which no text of the recording begins a line of its own or steers a terminal.
    fileprivate var escaped: String {
        """
        event \(event) (\(name.name.escaped)) of page \(page.escaped), command \(command)
          expected: \(expected.escaped)
          actual:   \(actual.escaped)
        """
    }
}
