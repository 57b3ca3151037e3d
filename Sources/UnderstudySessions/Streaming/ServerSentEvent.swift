import BusinessLogic
package import HTTPMessages

/// An event of an event stream (HTML standard, section 9.2.6).
package struct ServerSentEvent {
    let name: StaticString
    /// The ID that the client sends as `Last-Event-ID` to continue after this event; `nil` to keep that of the previous event.
    var id: Int?
    /// In seconds; `nil` if the event does not say it.
    var retry: Int?
    /// The content, without line breaks, except for one at the end.
    let data: ArraySlice<UInt8>

    package var bytes: [UInt8] {
        var bytes = Array("event: \(name)\n".utf8)
        if let id { bytes += "id: \(id)\n".utf8 }
        // In milliseconds.
        if let retry { bytes += "retry: \(retry)000\n".utf8 }
        bytes += "data: ".utf8
        bytes += data.last == UInt8(ascii: "\n") ? data.dropLast() : data
        return bytes + Array("\n\n".utf8)
    }

    init(problem: Response) {
        name = "problem"
        retry = problem.header(.retryAfter).flatMap { Int($0) }
        data = problem.body[...]
    }

    init(commandAt index: Int, of commands: ArraySlice<CommandHistory.Entry>, _ context: ResponseContext) {
        let json = JSONWriter.bytes { $0.command(at: index, of: commands, context) }
        self.init(name: "command", id: commands[index].sequence, data: json[...])
    }

    package init(name: StaticString, id: Int? = nil, data: ArraySlice<UInt8>) {
        self.name = name
        self.id = id
        self.data = data
    }

    static let comment = Array(":\n\n".utf8)
}

extension ContentType {
    /// HTML standard, section 9.2.5.
    package static let eventStream: ContentType = "text/event-stream"
}
