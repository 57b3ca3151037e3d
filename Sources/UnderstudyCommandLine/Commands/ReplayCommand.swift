import ArgumentParser
import BusinessLogic
import Foundation
import Understudy
import UnderstudyReplay

/// `understudy replay`.
struct ReplayCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "replay",
            abstract: "Replay recorded sessions with the current controllers.",
            discussion: """
                The command prints the first difference of each session. Exit status: 0 no difference, 1 a difference or a \
                failure, 64 wrong usage. '\(Application.current.commandName) serve --demo --record FOLDER' records sessions; GET \
                /session/recording downloads one.
                """
        )
    }

    @Argument(help: "The files of the recordings.")
    var files: [String]

    @Flag(help: "Print a Swift Testing source file that replays the recordings, instead of replaying them.")
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
        return try Self.testSource(of: recordings)
    }

    /// Swift Testing source code with a test for each recording of the program's pages.
    static func testSource(of recordings: [(name: String, recording: Recording)]) throws(CommandError) -> String {
        let pagesInTests = try pagesInTests(of: recordings.map(\.recording))
        do {
            return try Recording.testSource(
                of: recordings,
                on: Application.current.pages(PageDependencies()),
                writtenAs: pagesInTests.expression,
                imports: pagesInTests.imports,
                importing: pagesInTests.testableImport
            )
        } catch {
            throw CommandError("No test can be generated: \(error).")
        }
    }

    /// How a test creates the pages of the recordings.
    ///
    /// - Throws: ``CommandError`` if the program does not state it, and a page is not one of the bundled pages.
    private static func pagesInTests(of recordings: [Recording]) throws(CommandError) -> PagesInTests {
        if let stated = Application.current.pagesInTests { return stated }
        let bundled = Set(Page.bundled(PageDependencies()).map(\.name))
        if let page = recordings.flatMap(\.playable).map(\.page).first(where: { !bundled.contains($0) }) {
            throw CommandError(
                "No test can be generated: the page '\(page)' is not a bundled page, and '\(Application.current.commandName)' does "
                    + "not state the Swift expression for its pages; pass 'pagesInTests' to UnderstudyCommandLine.run."
            )
        }
        return .bundled
    }

    /// - Throws: ``CommandError`` if the file cannot be read, or is not a recording.
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
                Terminal.printProgress(
                    "\(file.escaped): the last line is incomplete; the events before it are replayed.\n"
                )
            }
            if recording.playable.count < recording.events.count {
                Terminal.printProgress(
                    "\(file.escaped): the client did not wait for the response to event \(recording.playable.count + 1); the events before it are replayed.\n"
                )
            }
            return recording
        } catch {
            throw CommandError("The file '\(file)' cannot be replayed: \(error).")
        }
    }

    private static func difference(of recording: Recording, _ file: String) async throws -> Recording.Difference? {
        do {
            return try await recording.firstDifference(on: Application.current.pages(PageDependencies()))
        } catch {
            throw CommandError("The file '\(file)' cannot be replayed: \(error).")
        }
    }
}

extension Recording.Difference {
    /// The description, in which no text of the recording can begin a line or control the terminal.
    fileprivate var escaped: String {
        """
        event \(event) (\(name.name.escaped)) of page \(page.escaped), command \(command)
          expected: \(expected.escaped)
          actual:   \(actual.escaped)
        """
    }
}
