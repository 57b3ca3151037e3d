/// How much memory values take. Estimates, which are rather too high than too low: a value that two places share counts
/// twice.
extension Value {
    /// The bytes that the value takes on the heap, besides the place where it is.
    package var memorySize: Int {
        switch self {
        case .null, .boolean, .number: 0
        case .string(let text): text.memorySize
        case .array(let elements):
            elements.reduce(Self.bufferSize + elements.capacity * MemoryLayout<Value>.stride) { $0 + $1.memorySize }
        case .object(let object): object.memorySize
        }
    }

    /// What a buffer on the heap takes in addition to its elements: its header, and what the allocator rounds up.
    package static let bufferSize = 48
}

extension Value.Object {
    /// The bytes that the members take on the heap.
    package var memorySize: Int {
        if isEmpty { return 0 }
        let members = members
        var size = Value.bufferSize + members.capacity * MemoryLayout<Member>.stride
        for index in members.indices { size += members[index].name.memorySize + members[index].value.memorySize }
        return size
    }

    /// The most bytes that a new member takes in addition to its name's and its value's content: the room for the members
    /// is doubled when it is used up.
    package static let memorySizeOfMember = Value.bufferSize + 2 * MemoryLayout<Member>.stride
}

extension String {
    /// The bytes that the text takes on the heap: nothing for up to 15 bytes.
    package var memorySize: Int {
        let count = utf8.count
        return count > 15 ? Value.bufferSize + count : 0
    }
}

extension Array {
    /// Gives back the room for elements that are not there yet. An array made from a slice of all elements would share it.
    mutating func compact() {
        var exact: [Element] = []
        exact.reserveCapacity(count)
        exact += self
        self = exact
    }
}
