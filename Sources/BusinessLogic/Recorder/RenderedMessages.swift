/// The messages among the values that a screen shows. Most screens show at most one.
struct RenderedMessages {
    /// The position is that of the message's text in the rendered values.
    struct Positioned {
        let message: Message
        let position: Int
    }

    private var messages: [Positioned] = []

    var count: Int { messages.count }

    var all: [Positioned] { messages.sorted { $0.position < $1.position } }

    mutating func set(_ message: Message?, at position: Int) {
        if !messages.isEmpty { messages.removeAll { $0.position == position } }
        if let message { messages.append(Positioned(message: message, position: position)) }
    }

    mutating func compact() { messages.compact() }

    /// Does not count the texts, which are among the rendered values.
    var memorySize: Int {
        if messages.capacity == 0 { return 0 }
        return messages.reduce(Value.bufferSize + messages.capacity * MemoryLayout<Positioned>.stride) {
            $0 + $1.message.sizeWithoutText
        }
    }
}

extension Message {
    /// The bytes of the message's object without the text and the code. Of most messages, all sessions share one object.
    fileprivate var sizeWithoutText: Int { Value.bufferSize + parameters.memorySize }
}
