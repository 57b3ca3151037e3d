package import BusinessLogic

/// A request to a page, with its exact response in a new session.
package struct PageExample: Sendable {
    package let name: String
    package let summary: String
    /// The body, in JSON: an event with its values, or the values of the default event alone.
    let body: Value
    private let page: String
    private let commands: [Command]

    /// Creates an example.
    ///
    /// - Parameters:
    ///   - name: the name of the example, unique in its page.
    ///   - summary: what the example shows.
    ///   - page: the name of the page.
    ///   - body: the request's body in JSON.
    ///   - commands: the commands in the response.
    package init(_ name: String, _ summary: String, page: String, _ body: Value, _ commands: [Command]) {
        self.name = name
        self.summary = summary
        self.body = body
        self.page = page
        self.commands = commands
    }

    /// The complete request, with its event.
    package func request(to page: Page) -> Value {
        if body.object?["event"] != nil { return body }
        let event = Value.string(page.defaultEvent.event.name)
        return ["event": event, "values": body.object?["values"] ?? body]
    }

    /// The response.
    ///
    /// - Parameter links: the addresses of the pages that commands go to.
    package func response(_ links: PageLinks) -> Value {
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
