extension Message {
    /// The bytes that the message takes on the heap.
    package var memorySize: Int { code.memorySize + text.memorySize + parameters.memorySize }
}

extension Command {
    package var memorySize: Int {
        switch self {
        case .render(let key, let value, let message):
            // The value of a message is its text, which is stored once.
            key.memorySize + (message.map(\.memorySize) ?? value.memorySize)
        case .showAlert(let message): message.memorySize
        case .goToPage(let name, let values): name.memorySize + values.memorySize
        }
    }
}
