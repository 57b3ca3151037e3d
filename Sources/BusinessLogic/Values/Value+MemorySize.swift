/// Estimates of the memory that values take. They are too high rather than too low: a buffer that two values share counts twice.
extension Value {
    /// The bytes that the value takes on the heap, in addition to `MemoryLayout<Value>.size`.
    package var memorySize: Int {
        switch self {
        case .null, .boolean, .number: 0
        case .string(let text): text.memorySize
        case .array(let elements): Self.memorySize(of: elements)
        case .object(let object): object.memorySize
        }
    }

    private static func memorySize(of elements: [Value]) -> Int {
        var size = bufferSize + elements.capacity * MemoryLayout<Value>.stride
        // Iterating over the elements would copy each of them.
        for index in elements.indices { size += elements[index].memorySize }
        return size
    }

    /// The overhead of a buffer on the heap: its header and the allocator's rounding.
    package static let bufferSize = 48
}

extension Value.Object {
    package var memorySize: Int {
        if isEmpty { return 0 }
        let members = members
        var size = Value.bufferSize + members.capacity * MemoryLayout<Entry>.stride
        for index in members.indices { size += members[index].name.memorySize + members[index].value.memorySize }
        return size
    }

    /// The maximum number of bytes that a new member takes, without the content of its name and its value: adding it may double
    /// the array's capacity.
    package static let memorySizeOfMember = Value.bufferSize + 2 * MemoryLayout<Entry>.stride
}

extension String {
    /// 0 for up to 15 bytes, which are not on the heap.
    package var memorySize: Int {
        let count = utf8.count
        return count > 15 ? Value.bufferSize + count : 0
    }
}

extension Array {
    /// An array made from a slice of all elements would share the old buffer.
    mutating func compact() {
        var exact: [Element] = []
        exact.reserveCapacity(count)
        exact += self
        self = exact
    }
}
