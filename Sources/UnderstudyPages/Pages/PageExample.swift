public import BusinessLogic

/// A request to a page, with its exact response in a new session. The OpenAPI document contains both.
public struct PageExample: Sendable {
    package let name: String
    package let summary: String
    /// The body of the request: an event with its values.
    package let request: Value
    private let commands: [Command]

    /// Creates an example.
    ///
    /// - Parameters:
    ///   - name: the name of the example, unique in its page.
    ///   - summary: what the example shows, as a sentence.
    ///   - event: the event.
    ///   - values: the values that the event reads.
    ///   - commands: the commands in the response. Nothing checks them: let a test compare them with what the controller gives.
    public init(
        _ name: String,
        _ summary: String,
        _ event: Event,
        with values: Value.Object = [:],
        _ commands: [Command]
    ) {
        self.name = name
        self.summary = summary
        var request: Value.Object = ["event": .string(event.name)]
        if !values.isEmpty { request["values"] = .object(values) }
        self.request = .object(request)
        self.commands = commands
    }

    /// The response.
    ///
    /// - Parameters:
    ///   - page: the name of the page.
    ///   - links: the addresses of the pages that commands go to.
    package func response(of page: String, _ links: PageLinks) -> Value {
        let history = CommandHistory()
        for command in commands { history.append(command, page: page) }
        let json = CommandResponse.json(
            sequence: history.sequence,
            commands: history.kept,
            context: ResponseContext(links: links)
        )
        return (try? JSONReader.read(json)) ?? .null
    }
}
