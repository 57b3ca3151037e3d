/// The messages among the values that a screen shows. Most screens show at most one, which takes no memory on the heap.
enum RenderedMessages {
    case none
    case one(Positioned)
    case several([Positioned])

    /// A message, with the position of its text in the rendered values.
    struct Positioned {
        let message: Message
        let position: Int
    }

    var count: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .several(let messages): messages.count
        }
    }

    /// All messages, in the order of their texts.
    var all: [Positioned] {
        switch self {
        case .none: []
        case .one(let message): [message]
        case .several(let messages): messages.sorted { $0.position < $1.position }
        }
    }

    /// Sets or removes the message at a position.
    mutating func set(_ message: Message?, at position: Int) {
        switch (self, message) {
        case (.none, nil):
            break
        case (.none, let message?):
            self = .one(Positioned(message: message, position: position))
        case (.one(let known), _) where known.position == position:
            self = message.map { .one(Positioned(message: $0, position: position)) } ?? .none
        case (.one, nil):
            break
        case (.one(let known), let message?):
            self = .several([known, Positioned(message: message, position: position)])
        case (.several(var messages), _):
            self = .none
            messages.removeAll { $0.position == position }
            if let message { messages.append(Positioned(message: message, position: position)) }
            self = .several(messages)
        }
    }

    /// Frees unused capacity.
    mutating func compact() {
        guard case .several(var messages) = self else { return }
        messages.compact()
        self = .several(messages)
    }

    /// The bytes that the messages take on the heap. Their texts count among the rendered values.
    var memorySize: Int {
        switch self {
        case .none: 0
        case .one(let one): one.message.sizeWithoutText
        case .several(let messages):
            messages.reduce(Value.bufferSize + messages.capacity * MemoryLayout<Positioned>.stride) {
                $0 + $1.message.sizeWithoutText
            }
        }
    }
}

extension Message {
    /// The bytes of the message's object without the text and the code. Of most messages, all sessions share one object.
    fileprivate var sizeWithoutText: Int { Value.bufferSize + parameters.memorySize }
}
