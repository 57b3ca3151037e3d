public import BusinessLogic
public import UnderstudyPages
public import UnderstudySessions

extension Recording {
    /// The first difference between a recording and its replay.
    public struct Difference: Equatable, Sendable, CustomStringConvertible {
        /// The event's number, from 1, across all pages.
        public let event: Int
        /// The event.
        public let name: BusinessLogic.Event
        /// The page of the event.
        public let page: String
        /// The number of the command that differs among the event's commands, from 1. If only the failure differs, the number
        /// after the last command.
        public let command: Int
        /// The recorded command or failure, as text.
        public let expected: String
        /// The command or failure in the replay, as text.
        public let actual: String

        public var description: String {
            """
            event \(event) (\(name.name)) of page \(page), command \(command)
              expected: \(expected)
              actual:   \(actual)
            """
        }
    }

    /// Replays the ``/Understudy/Recording/playable`` events with new controllers, and returns the first difference.
    ///
    /// Collaborators that a controller receives through its ``/Understudy/PageContext`` return the recorded results. The replay
    /// calls all others.
    ///
    /// - Parameter pages: the pages, including all that the recording names.
    /// - Returns: `nil` if all commands and failures are as recorded.
    /// - Throws: ``/Understudy/RecordingError/unknownPage(_:event:)``.
    public func firstDifference(on pages: [Page]) async throws -> Difference? {
        let replay = Replay(pages)
        for (index, event) in playable.enumerated() {
            guard let page = replay.pages[named: event.page] else {
                throw RecordingError.unknownPage(event.page, event: index + 1)
            }
            let outcome = await replay.play(event, on: page, isRedacted: isRedacted)
            if let difference = event.difference(from: outcome, at: index + 1) { return difference }
        }
        return nil
    }
}

/// A session that replays a recording.
private final class Replay {
    /// The result of an event.
    struct Outcome {
        let commands: [Command]
        let failure: CollaboratorFailure?
        /// The collaborator that was called more often than recorded, if any.
        let missing: MissingResult?
    }

    let pages: Pages
    private let log: CollaboratorLog
    private let session: Session

    init(_ pages: [Page]) {
        self.pages = Pages(pages)
        log = CollaboratorLog(isReplaying: true)
        session = Session(replaying: log)
    }

    func play(_ event: Recording.Event, on page: Page, isRedacted: Bool) async -> Outcome {
        log.put(event.results)
        var commands: [Command] = []
        var failure: CollaboratorFailure?
        do {
            var transaction = try EventTransaction(
                try page.declarationIndex(of: event.event),
                of: page,
                in: session,
                values: event.values(on: page)
            )
            do {
                try await transaction.handle()
                commands = transaction.commands.map(\.command)
                transaction.commit()
            } catch {
                // A failed event gives no commands. Those before a missing result help to find the difference.
                if log.missing != nil { commands = transaction.commands.map(\.command) }
                transaction.rollBack()
                throw error
            }
        } catch {
            failure = CollaboratorFailure(error)
        }
        return Outcome(
            commands: commands.map { (isRedacted ? $0.redacted : $0).asRead },
            failure: failure,
            missing: log.missing
        )
    }
}

extension Recording.Event {
    /// The values, with one that fits the field for each that was erased.
    func values(on page: Page) -> Value.Object {
        var values = values
        for name in erased { values[name] = page.field(name)?.erasedValue ?? "erased" }
        return values
    }

    fileprivate func difference(from outcome: Replay.Outcome, at number: Int) -> Recording.Difference? {
        func difference(_ command: Int, _ expected: String, _ actual: String) -> Recording.Difference {
            Recording.Difference(
                event: number,
                name: event,
                page: page,
                command: command,
                expected: expected,
                actual: actual
            )
        }
        let missing = outcome.missing?.description
        let count = max(commands.count, outcome.commands.count)
        for index in 0..<count {
            let expected = index < commands.count ? commands[index] : nil
            let actual = index < outcome.commands.count ? outcome.commands[index] : nil
            guard expected != actual else { continue }
            return difference(
                index + 1,
                expected?.text ?? failure?.text ?? "no command",
                actual?.text ?? missing ?? outcome.failure?.text ?? "no command"
            )
        }
        if failure == outcome.failure, missing == nil { return nil }
        return difference(
            count + 1,
            failure?.text ?? "no command",
            missing ?? outcome.failure?.text ?? "no command"
        )
    }
}

extension Command {
    /// The command after writing and reading it as JSON.
    fileprivate var asRead: Command {
        (try? JSONReader.read(json))?.object.flatMap { try? Command(json: $0) } ?? self
    }

    fileprivate var text: String { String(decoding: json, as: UTF8.self) }

    private var json: [UInt8] { JSONWriter.bytes { $0.command(self) } }
}

extension CollaboratorFailure {
    fileprivate var text: String { "failure " + String(decoding: value.json.dropLast(), as: UTF8.self) }
}
