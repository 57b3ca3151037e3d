package import BusinessLogic
package import HTTPMessages
package import UnderstudyPages

/// The response to an event as a stream of server-sent events: each command when the controller gives it, and at last the answer.
///
/// The stream begins with the first command that is given before the event ends. Until then, the response is like one that is not
/// streamed: a problem has its own status.
///
/// Only the event's task uses it.
package final class EventStream {
    private let request: Request
    /// The last command that the client has received; `nil` if it does not continue a stream.
    private let lastEventID: Int?
    /// Whether the event runs for this request. Otherwise, the response is a stored one.
    private var hasRun = false
    /// Whether the commands before the next one do not count.
    private var mustRestart = false
    /// The number of commands of the current run that have been sent.
    private var sentCount = 0
    /// The next command, if it did not fit into the buffer, because the client receives too slowly.
    private var unsent: [UInt8]?
    private var response: ResponseStream?
    /// `nil` if the head contains none.
    private var token: SessionToken?

    /// How many bytes of commands may wait for the client. Those that do not fit are sent later, at last in the answer.
    private static let capacity = 64 << 10

    package init(_ request: Request, lastEventID: Int?) {
        self.request = request
        self.lastEventID = lastEventID
    }

    // MARK: While the event runs

    /// Called when the controller is about to handle the event, for the first time or again.
    package func eventStarts() {
        if !hasRun { mustRestart = lastEventID != nil }
        hasRun = true
        (sentCount, unsent) = (0, nil)
    }

    /// Called when the event has had no effect and runs again.
    package func restart() { mustRestart = mustRestart || response != nil }

    /// Allows sending commands before the event ends.
    ///
    /// - Parameter token: the token of a new session, which the head contains.
    /// - Returns: `false` if the stream is open, and its head does not contain the token: the session has ended since then.
    package func open(_ head: @autoclosure () -> Response, token: SessionToken?) -> Bool {
        guard response == nil else { return token == nil || token == self.token }
        self.token = token
        response = ResponseStream(
            head(),
            to: request,
            capacity: Self.capacity,
            keepAlive: ServerSentEvent.comment,
            ending: { Self.last(of: $0) }
        )
        return true
    }

    /// Sends those of the event's commands that have not been sent, unless too many bytes wait for the client.
    package func send(_ commands: ArraySlice<CommandHistory.Entry>, _ context: ResponseContext) {
        guard let response else { return }
        while sentCount < commands.count {
            let part = unsent ?? part(of: commands, at: commands.startIndex + sentCount, context)
            guard response.write(part) else {
                unsent = part
                return
            }
            (unsent, mustRestart) = (nil, false)
            sentCount += 1
        }
    }

    private func part(
        of commands: ArraySlice<CommandHistory.Entry>,
        at index: Int,
        _ context: ResponseContext
    ) -> [UInt8] {
        (mustRestart ? Self.restart : []) + ServerSentEvent(commandAt: index, of: commands, context).bytes
    }

    /// Returns whether the stream's head is sent, so that the response cannot have other header fields.
    package func end() -> Bool { response?.end() ?? false }

    // MARK: After the event

    /// Turns the response to the event into the last part of the stream, or into the whole stream. Does not change a problem if nothing has
    /// been sent.
    package func finish(_ response: inout Response) {
        if end() {
            response = Response(status: 200, body: (mustRestart ? Self.restart : []) + Self.last(of: response))
        } else if response.status == 200 {
            response.contentType = .eventStream
            response.headers.append(Self.unbuffered)
            response.body = complete(response)
        }
    }

    private func complete(_ response: Response) -> [UInt8] {
        let received = hasRun ? 0 : lastEventID ?? 0
        var bytes = hasRun && lastEventID != nil ? Self.restart : []
        for command in (try? JSONReader.read(response.body))?["commands"]?.array ?? [] {
            guard let sequence = command["sequence"]?.integer, sequence > received else { continue }
            bytes += ServerSentEvent(name: "command", id: sequence, data: command.json[...]).bytes
        }
        return bytes + Self.last(of: response)
    }

    private static let restart = ServerSentEvent(name: "restart", data: Array("{}".utf8)[...]).bytes

    /// The event `answer` or `problem`, whose content is the body of the response.
    private static func last(of response: Response) -> [UInt8] {
        guard response.status != 200 else { return ServerSentEvent(name: "answer", data: response.body[...]).bytes }
        return ServerSentEvent(problem: response).bytes
    }

    /// The language is `nil` if the service has no translations.
    package static func head(_ language: Language?) -> Response {
        Response(status: 200, contentType: .eventStream, common: language?.headers, headers: [unbuffered])
    }

    /// Makes a proxy such as nginx pass on each part at once.
    private static let unbuffered: HeaderField = ("X-Accel-Buffering", "no")
}
