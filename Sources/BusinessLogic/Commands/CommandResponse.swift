/// The JSON response to an event: its commands and the session's last sequence number.
package struct CommandResponse {
    package let sequence: Int
    package let entries: [Entry]
    /// The session's new token; `nil` if the session keeps its token.
    package let token: String?

    package struct Entry: Equatable, Sendable {
        /// Counts from 1 in the session.
        package let sequence: Int
        package let page: String
        /// The command; `nil` if its kind is unknown.
        package let command: Command?
        /// The path of the page that the command goes to; `nil` if the service has no such page.
        package let href: String?
    }

    /// Ends with a line feed, for terminals.
    ///
    /// - Parameters:
    ///   - isMinimal: whether the client wants no commands, only whether there was an error.
    ///   - rendered: what the page shows after the event; `nil` to leave it out.
    package static func json(
        sequence: Int,
        commands: ArraySlice<CommandHistory.Entry>,
        context: ResponseContext,
        isMinimal: Bool = false,
        rendered: Value.Object? = nil
    ) -> [UInt8] {
        let isOK = !commands.contains(where: \.isError)
        return JSONWriter.bytes { writer in
            writer.raw("{\"sequence\":")
            writer.integer(sequence)
            writer.raw(isOK ? ",\"ok\":true,\"commands\":" : ",\"ok\":false,\"commands\":")
            writer.commands(isMinimal ? [] : commands, context)
            if !isOK {
                writer.raw(",\"errors\":")
                writer.errors(commands, context)
            }
            if let rendered {
                writer.raw(",\"rendered\":")
                writer.object(rendered)
            }
            writer.raw("}\n")
        }
    }

    package static func add(token: String, deviceToken: String?, to response: inout [UInt8]) {
        // The brace and the line feed at the end.
        response.removeLast(2)
        response += JSONWriter.bytes { writer in
            writer.raw(",\"token\":")
            writer.string(token)
            if let deviceToken {
                writer.raw(",\"deviceToken\":")
                writer.string(deviceToken)
            }
            writer.raw("}\n")
        }
    }

    /// The commands of several events. It ends with a line feed, for terminals.
    package static func history(
        sequence: Int,
        commands: ArraySlice<CommandHistory.Entry>,
        context: ResponseContext
    ) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.raw("{\"sequence\":")
            writer.integer(sequence)
            writer.raw(",\"commands\":")
            writer.commands(commands, context)
            writer.raw("}\n")
        }
    }

    /// Ignores unknown members.
    package init(_ json: Value) throws(MalformedCommand) {
        guard let sequence = json.object?["sequence"]?.integer, sequence >= 0,
            let commands = json.object?["commands"]?.array
        else { throw MalformedCommand(reason: "It lacks 'sequence' or 'commands'.") }
        self.sequence = sequence
        token = json.object?["token"]?.string
        entries = try commands.map(Entry.init)
    }
}

extension CommandResponse.Entry {
    package init(_ json: Value) throws(MalformedCommand) {
        guard let members = json.object, let sequence = members["sequence"]?.integer,
            let page = members["page"]?.string
        else { throw MalformedCommand(reason: "A command lacks 'sequence' or 'page'.") }
        self.sequence = sequence
        self.page = page
        command = try Command(json: members)
        href = members["href"]?.string
    }
}
