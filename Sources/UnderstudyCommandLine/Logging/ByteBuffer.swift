/// Bytes that other bytes are appended to. Unlike an array, it does not check at each call whether it is shared.
struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // Sendable because the memory belongs to this value alone.

    private var memory: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes.
    private(set) var count = 0

    init() {
        memory = .allocate(capacity: 0)
    }

    deinit {
        memory.deallocate()
    }

    /// The number of bytes that the memory can contain.
    var capacity: Int { memory.count }

    /// The bytes; valid until the buffer changes.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory.baseAddress, count: count) }

    /// Removes all bytes.
    ///
    /// - Parameter capacity: the capacity above which the memory is freed.
    mutating func removeAll(freeingAbove capacity: Int = .max) {
        count = 0
        guard self.capacity > capacity else { return }
        memory.deallocate()
        memory = .allocate(capacity: 0)
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        memory.baseAddress?.advanced(by: count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ append($0) }) == nil {
            for byte in bytes { append(byte) }
        }
    }

    mutating func append(_ text: String) {
        append(text.utf8)
    }

    /// Appends the bytes that `write` writes: at most `maximum`. `write` receives where to write them, and moves it to their end.
    mutating func append(atMost maximum: Int, _ write: (inout UnsafeMutablePointer<UInt8>) -> Void) {
        reserve(maximum)
        guard let start = memory.baseAddress?.advanced(by: count) else { return }
        var end = start
        write(&end)
        count += end - start
    }

    /// Makes room for `additional` bytes.
    private mutating func reserve(_ additional: Int) {
        if count + additional > memory.count { grow(by: additional) }
    }

    private mutating func grow(by additional: Int) {
        let capacity = max(1024, 2 * memory.count, count + additional)
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
        if let source = memory.baseAddress { larger.baseAddress?.update(from: source, count: count) }
        memory.deallocate()
        memory = larger
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Writes a byte, and moves to its end.
    mutating func put(_ byte: UInt8) {
        pointee = byte
        self += 1
    }

    /// Writes bytes, and moves to their end.
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        update(from: source, count: bytes.count)
        self += bytes.count
    }
}
