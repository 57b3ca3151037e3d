package import BusinessLogic
package import HTTPMessages

/// The commands of a session as server-sent events, from a position on.
///
/// Only the request's task uses it.
package struct HistoryStream {
    /// One or more events, and the position after them.
    package struct Part {
        package let bytes: [UInt8]
        fileprivate let sequence: Int
    }

    /// The number of the last command that the client has; `nil` for all that are kept.
    private var position: Int?
    private let context: ResponseContext
    /// Since when the client has received nothing although there is more; `nil` if it has received everything.
    private var stalledSince: ContinuousClock.Instant?

    /// How many bytes may wait for the client.
    package static let capacity = 64 << 10
    /// How long a client may receive nothing.
    private static let patience: Duration = .seconds(60)
    /// A line that clients ignore.
    package static let comment = ServerSentEvent.comment

    package init(since position: Int?, _ context: ResponseContext) {
        self.position = position
        self.context = context
    }

    /// The events after the position.
    package func parts(of history: CommandHistory) -> [Part] {
        guard let position else { return parts(of: history.kept) }
        // A higher number is of another session.
        guard position <= history.sequence, let commands = history.since(position) else {
            return [gone(at: history.sequence)]
        }
        return parts(of: commands)
    }

    private func parts(of commands: ArraySlice<CommandHistory.Entry>) -> [Part] {
        commands.indices.map { index in
            let sequence = commands[index].sequence
            let bytes = ServerSentEvent(commandAt: index, of: commands, context).bytes
            // It would never fit.
            return bytes.count > Self.capacity ? gone(at: sequence) : Part(bytes: bytes, sequence: sequence)
        }
    }

    /// The event that makes the client read its pages again.
    private func gone(at sequence: Int) -> Part {
        let json = Value.object(["sequence": Value(sequence)]).json
        let event = ServerSentEvent(name: "historyGone", id: sequence, data: json[...])
        return Part(bytes: event.bytes, sequence: sequence)
    }

    /// Writes events until the client has too much to receive.
    ///
    /// - Returns: whether all are written.
    package mutating func send(_ parts: [Part], on stream: ResponseStream) -> Bool {
        for part in parts {
            guard stream.write(part.bytes) else {
                stalledSince = stalledSince ?? .now
                return false
            }
            stalledSince = nil
            position = part.sequence
        }
        return true
    }

    /// Whether the client has received nothing for a minute.
    package var hasStalled: Bool { stalledSince.map { $0 + Self.patience < .now } ?? false }

    /// The event `problem`, whose content is the body of the response.
    package static func last(of problem: Response) -> [UInt8] { ServerSentEvent(problem: problem).bytes }
}
