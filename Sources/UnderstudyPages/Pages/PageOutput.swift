package import BusinessLogic

/// An output of a page, as its events declare it.
package struct PageOutput: Equatable, Sendable {
    /// The key under which the page renders the value.
    package let key: String
    /// The schema of the value.
    package let schema: ValueSchema
    /// The messages whose text the output shows.
    package private(set) var messages: [Message] = []
    /// What the output shows; `nil` if the declaration does not say.
    package private(set) var description: String?
    /// Whether recordings leave the texts of the value out.
    package private(set) var isSecret = false

    /// The outputs of a page's events, each once.
    ///
    /// - Precondition: no two events declare an output with different types.
    static func union(of events: [EventDeclaration], on page: String) -> [PageOutput] {
        var outputs: [PageOutput] = []
        for case .render(let key, let schema, let messages, let description, let isSecret) in events.flatMap(\.gives) {
            let index = outputs.firstIndex { $0.key == key } ?? outputs.count
            if index == outputs.count { outputs.append(PageOutput(key: key, schema: schema)) }
            var output = outputs[index]
            requireDeclaration(
                output.schema == schema,
                "the page '\(page)' declares the output '\(key)' with two types"
            )
            output.messages = (output.messages + (messages ?? [])).unique(by: \.code)
            output.description = output.description ?? description
            output.isSecret = output.isSecret || isSecret
            outputs[index] = output
        }
        return outputs
    }
}
