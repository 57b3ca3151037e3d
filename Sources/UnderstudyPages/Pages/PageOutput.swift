package import BusinessLogic

package struct PageOutput: Equatable, Sendable {
    package let key: String
    package let schema: ValueSchema
    /// The output shows their texts.
    package private(set) var messages: [Message] = []
    /// `nil` if the declaration does not say what the output shows.
    package private(set) var description: String?
    package private(set) var isSecret = false

    /// No two events may declare an output with different types.
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
