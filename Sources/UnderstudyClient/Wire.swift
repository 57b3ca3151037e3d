internal import BusinessLogic
internal import Foundation

/// The commands that a service answers with.
struct CommandAnswer {
    /// The number of the session's last command.
    let sequence: Int
    let entries: [Entry]
    /// The session's new token, where it has another one from now on.
    let token: String?

    /// A command that a page gave.
    struct Entry {
        let sequence: Int
        let page: String
        /// `nil` where it is of a kind that is not known here.
        let command: Command?
    }

    init(_ value: Value) throws {
        guard let sequence = value.object?["sequence"]?.integer, sequence >= 0,
            let commands = value.object?["commands"]?.array
        else { throw RemoteError.malformedResponse("It lacks 'sequence' or 'commands'.") }
        self.sequence = sequence
        entries = try commands.map { try Entry($0.object ?? [:]) }
        token = value.object?["token"]?.string
    }
}

extension CommandAnswer.Entry {
    init(_ members: Value.Object) throws {
        guard let sequence = members["sequence"]?.integer, let page = members["page"]?.string,
            let name = members["command"]?.string
        else { throw RemoteError.malformedResponse("A command lacks 'sequence', 'page' or 'command'.") }
        self.sequence = sequence
        self.page = page
        switch name {
        case "render":
            guard let key = members["key"]?.string, let value = members["value"] else { throw Self.malformed(name) }
            command = .render(key: key, value: value, message: value.string.flatMap { members.message($0) })
        case "showAlert":
            guard let message = members["message"]?.string.flatMap({ members.message($0) }) else {
                throw Self.malformed(name)
            }
            command = .showAlert(message)
        case "goToPage":
            guard let name = members["name"]?.string else { throw Self.malformed(name) }
            command = .goToPage(name, members["values"]?.object ?? [:])
        default:
            command = nil
        }
    }

    private static func malformed(_ command: String) -> RemoteError {
        .malformedResponse("The command '\(command)' is not complete.")
    }
}

extension Value.Object {
    /// The message of that text, where there is a code for it.
    fileprivate func message(_ text: String) -> Message? {
        self["code"]?.string.map { Message(code: $0, text: text, parameters: self["parameters"]?.object ?? [:]) }
    }
}

/// What a page shows, and what it accepts.
struct PageAnswer {
    /// What is painted at each place.
    let rendered: Value.Object
    /// The fields that each event reads.
    let events: [(event: Event, reads: [String])]

    init(_ value: Value) throws {
        guard let rendered = value.object?["rendered"]?.object, let events = value.object?["events"]?.array else {
            throw RemoteError.malformedResponse("It lacks 'rendered' or 'events'.")
        }
        self.rendered = rendered
        self.events = try events.map {
            guard let event = $0.object?["event"]?.string, let reads = $0.object?["reads"]?.array else {
                throw RemoteError.malformedResponse("An event lacks 'event' or 'reads'.")
            }
            return (Event(event), reads.compactMap(\.string))
        }
    }
}

extension RemoteResponse {
    /// The body as JSON.
    var json: Value {
        get throws {
            do {
                return try JSONDecoder().decode(Value.self, from: Data(body))
            } catch {
                throw RemoteError.malformedResponse("It has the status \(status), and is no JSON.")
            }
        }
    }

    /// The body of an answer that is no error.
    ///
    /// - Throws: ``RemoteError``.
    var content: Value {
        get throws {
            guard (200...299).contains(status) else { throw refusal }
            return try json
        }
    }

    /// What an answer that is an error says.
    var refusal: RemoteError {
        RemoteProblem(self).map(RemoteError.problem)
            ?? .malformedResponse("It has the status \(status), and says no more.")
    }
}

extension Value {
    /// The value as JSON. A number that JSON cannot express is null.
    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self))
        }
    }
}

extension String {
    /// The text as a segment of a path.
    var pathSegment: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_"))) ?? self
    }
}
