import BusinessLogic

package protocol ShownMessages {
    /// The keys of the outputs that show why something is rejected: sorted, and no set, so that equal states are equal in JSON.
    var shownMessages: [String] { get set }
}

extension BusinessLogicController where State: ShownMessages {
    /// `nil` removes the message that the screen shows.
    func show(_ message: Message?, in output: Output<Message?>) {
        let wasShown = state.shownMessages.contains(output.key)
        if message == nil { state.shownMessages.removeAll { $0 == output.key } }
        if message != nil, !wasShown { state.shownMessages = (state.shownMessages + [output.key]).sorted() }
        if message != nil || wasShown { render(output, message) }
    }
}

extension Output where Content == Message? {
    static func rejection(_ key: String, _ what: String) -> Output {
        Output(key, description: "Why \(what); null if it is.")
    }
}

extension Field where Content == String {
    static func id(_ name: String, of element: String) -> Field {
        Field(name, maximumLength: 64, description: "The ID of \(element) in the list.")
    }
}
