/// The JSON response to an event: its commands and the session's last sequence number.
package struct CommandResponse {
    /// The number of the session's last command.
    package let sequence: Int
    /// The commands, in order.
    package let entries: [Entry]
    /// The session's new token; `nil` if the session keeps its token.
    package let token: String?

    /// A command that a page gave.
    package struct Entry {
        /// The command's number in the session, from 1.
        package let sequence: Int
        /// The name of the page.
        package let page: String
        /// The command; `nil` if its kind is unknown.
        package let command: Command?
    }

    /// Writes a response. It ends with a line feed, for terminals.
    package static func json(
        sequence: Int,
        commands: ArraySlice<CommandHistory.Entry>,
        token: String? = nil,
        deviceToken: String? = nil
    ) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.raw("{\"sequence\":")
            writer.integer(sequence)
            writer.raw(",\"commands\":")
            writer.commands(commands)
            if let token {
                writer.raw(",\"token\":")
                writer.string(token)
            }
            if let deviceToken {
                writer.raw(",\"deviceToken\":")
                writer.string(deviceToken)
            }
            writer.raw("}\n")
        }
    }

    /// Reads a response. Ignores unknown members.
    ///
    /// - Throws: ``MalformedCommand`` if a required member is missing or of another kind.
    package init(_ json: Value) throws(MalformedCommand) {
        guard let sequence = json.object?["sequence"]?.integer, sequence >= 0,
            let commands = json.object?["commands"]?.array
        else { throw MalformedCommand(reason: "It lacks 'sequence' or 'commands'.") }
        self.sequence = sequence
        token = json.object?["token"]?.string
        var entries: [Entry] = []
        for command in commands {
            guard let members = command.object, let sequence = members["sequence"]?.integer,
                let page = members["page"]?.string
            else { throw MalformedCommand(reason: "A command lacks 'sequence' or 'page'.") }
            entries.append(Entry(sequence: sequence, page: page, command: try Command(json: members)))
        }
        self.entries = entries
    }
}
