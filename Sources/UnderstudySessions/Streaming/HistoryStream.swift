package import BusinessLogic
package import HTTPMessages

package protocol HistoryFormat: Sendable {
    /// The position is the number of the last command that the client knows; `nil` at the beginning of a stream without one.
    func parts(of history: CommandHistory, since position: Int?) -> [HistoryStream.Part]

    /// The problem is why the stream ends; `nil` if the server stops.
    func last(_ problem: Response?) -> [UInt8]
}

/// The commands of a session as server-sent events, from a position on.
///
/// Only the request's task uses it.
package struct HistoryStream {
    package struct Part {
        fileprivate let bytes: [UInt8]
        fileprivate let sequence: Int

        package init(bytes: [UInt8], sequence: Int) {
            (self.bytes, self.sequence) = (bytes, sequence)
        }
    }

    package let format: any HistoryFormat
    private var position: Int?
    /// Since when the client has received nothing although there is more; `nil` if it has received everything.
    private var stalledSince: ContinuousClock.Instant?

    /// How many bytes may wait for the client.
    package static let capacity = 64 << 10
    /// How long a client may receive nothing.
    private static let patience: Duration = .seconds(60)
    package static let comment = ServerSentEvent.comment

    package init(_ format: any HistoryFormat, since position: Int?) {
        self.format = format
        self.position = position
    }

    package func parts(of history: CommandHistory) -> [Part] { format.parts(of: history, since: position) }

    /// The whole stream, if nothing can follow.
    package func bytes(of parts: [Part]) -> [UInt8] { parts.flatMap(\.bytes) + format.last(nil) }

    /// Writes events until the client has too much to receive. Returns whether all are written.
    package mutating func send(_ parts: [Part], on stream: ResponseStream) -> Bool {
        for part in parts {
            guard part.bytes.isEmpty || stream.write(part.bytes) else {
                stalledSince = stalledSince ?? .now
                return false
            }
            stalledSince = nil
            position = part.sequence
        }
        return true
    }

    package var hasStalled: Bool { stalledSince.map { $0 + Self.patience < .now } ?? false }
}

package struct CommandEvents: HistoryFormat {
    private let context: ResponseContext

    package init(_ context: ResponseContext) {
        self.context = context
    }

    package func parts(of history: CommandHistory, since position: Int?) -> [HistoryStream.Part] {
        guard let position else { return parts(of: history.kept) }
        // A higher number is of another session.
        guard position <= history.sequence, let commands = history.since(position) else {
            return [gone(at: history.sequence)]
        }
        return parts(of: commands)
    }

    private func parts(of commands: ArraySlice<CommandHistory.Entry>) -> [HistoryStream.Part] {
        commands.indices.map { index in
            let sequence = commands[index].sequence
            let bytes = ServerSentEvent(commandAt: index, of: commands, context).bytes
            // It would never fit.
            return bytes.count > HistoryStream.capacity
                ? gone(at: sequence) : HistoryStream.Part(bytes: bytes, sequence: sequence)
        }
    }

    /// Makes the client read its pages again.
    private func gone(at sequence: Int) -> HistoryStream.Part {
        let json = Value.object(["sequence": Value(sequence)]).json
        let event = ServerSentEvent(name: "historyGone", id: sequence, data: json[...])
        return HistoryStream.Part(bytes: event.bytes, sequence: sequence)
    }

    package func last(_ problem: Response?) -> [UInt8] { problem.map { ServerSentEvent(problem: $0).bytes } ?? [] }
}
