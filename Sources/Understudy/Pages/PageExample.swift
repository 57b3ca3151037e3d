package import BusinessLogic

/// A request to a page, with its exact response in a new session.
package struct PageExample: Sendable {
    let name: String
    let summary: String
    /// The body, in JSON.
    let request: Value
    let response: Value

    /// - Parameter commands: the response's commands, without their sequence numbers and pages.
    package init(_ name: String, _ summary: String, page: String, _ request: Value, _ commands: [Value.Object]) {
        self.name = name
        self.summary = summary
        self.request = request
        let numbered = commands.enumerated().map { index, members -> Value in
            var command: Value.Object = ["sequence": Value(index + 1), "page": .string(page)]
            for (name, value) in members { command[name] = value }
            return .object(command)
        }
        response = ["sequence": Value(commands.count), "commands": .array(numbered)]
    }

    /// The same request as a form; `nil` if a value is not a text.
    var form: Value.Object? {
        guard let body = request.object else { return nil }
        let isEnvelope = body.contains("event") || body.contains("values")
        var form: Value.Object = [:]
        if let event = body["event"] { form["event"] = event }
        for (name, value) in isEnvelope ? body["values"]?.object ?? [:] : body {
            guard value.string != nil else { return nil }
            form[name] = value
        }
        return form
    }
}
