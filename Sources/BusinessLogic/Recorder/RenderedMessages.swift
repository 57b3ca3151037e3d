/// The messages among the values that a screen shows.
struct RenderedMessages {
    /// A message, with the position of its text in the rendered values.
    struct Positioned {
        let message: Message
        let position: Int
    }

    /// All messages, in the order of their texts.
    private(set) var all: [Positioned] = []

    var count: Int { all.count }

    /// Sets or removes the message at a position.
    mutating func set(_ message: Message?, at position: Int) {
        let index = all.firstIndex { $0.position >= position } ?? all.count
        if index < all.count, all[index].position == position { all.remove(at: index) }
        if let message { all.insert(Positioned(message: message, position: position), at: index) }
    }

    /// Frees unused capacity.
    mutating func compact() { all.compact() }

    /// The bytes that the messages take on the heap. Their texts count among the rendered values.
    var memorySize: Int {
        let buffer = all.capacity == 0 ? 0 : Value.bufferSize + all.capacity * MemoryLayout<Positioned>.stride
        return all.reduce(buffer) { $0 + $1.message.sizeWithoutText }
    }
}

extension Message {
    /// The bytes of the message's object without the text and the code. Of most messages, all sessions share one object.
    fileprivate var sizeWithoutText: Int { Value.bufferSize + parameters.memorySize }
}
