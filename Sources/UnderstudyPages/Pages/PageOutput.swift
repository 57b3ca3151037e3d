package import BusinessLogic

/// An output of a page, as its events declare it.
package struct PageOutput: Equatable, Sendable {
    /// The key under which the page renders the value.
    package let key: String
    /// The schema of the value.
    package let schema: ValueSchema
    /// The messages whose text the output shows.
    package let messages: [Message]
    /// What the output shows; `nil` if the declaration does not say.
    package let description: String?
    /// Whether recordings leave the texts of the value out.
    package let isSecret: Bool

    /// The outputs of a page's events, each once.
    ///
    /// - Precondition: no two events declare an output with different types.
    static func union(of events: [EventDeclaration], on page: String) -> [PageOutput] {
        var outputs: [PageOutput] = []
        for case .render(let key, let schema, let messages, let description, let isSecret) in events.flatMap(\.gives) {
            guard let index = outputs.firstIndex(where: { $0.key == key }) else {
                outputs.append(
                    PageOutput(
                        key: key,
                        schema: schema,
                        messages: messages.messages,
                        description: description,
                        isSecret: isSecret
                    )
                )
                continue
            }
            let known = outputs[index]
            precondition(known.schema == schema, "the page '\(page)' declares the output '\(key)' with two types")
            let added = messages.messages.filter { message in !known.messages.contains { $0.code == message.code } }
            outputs[index] = PageOutput(
                key: key,
                schema: schema,
                messages: known.messages + added,
                description: known.description ?? description,
                isSecret: known.isSecret || isSecret
            )
        }
        return outputs
    }
}
