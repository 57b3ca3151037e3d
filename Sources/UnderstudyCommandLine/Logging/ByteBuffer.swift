/// Bytes that other bytes are appended to. Unlike an array, it does not check at each call whether it is shared.
struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // Sendable because the memory belongs to this value alone.

    private var start = UnsafeMutablePointer<UInt8>.allocate(capacity: 0)
    private(set) var capacity = 0
    private(set) var count = 0

    deinit {
        start.deallocate()
    }

    /// The bytes; valid until the buffer changes.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Removes all bytes. Frees the memory if it has more than `capacity`.
    mutating func removeAll(freeingAbove capacity: Int = .max) {
        count = 0
        if self.capacity > capacity { self = ByteBuffer() }
    }

    mutating func append(_ byte: UInt8) {
        var end = end(reserving: 1)
        end.put(byte)
        self.end = end
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        var end = end(reserving: bytes.count)
        end.put(bytes)
        self.end = end
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ append($0) }) == nil {
            for byte in bytes { append(byte) }
        }
    }

    mutating func append(_ text: String) { append(text.utf8) }

    /// The place of the next byte. Write there after ``end(reserving:)``, and then assign the end of what you have written.
    var end: UnsafeMutablePointer<UInt8> {
        get { start + count }
        set { count = newValue - start }
    }

    /// Makes room for `additional` bytes, and returns where to write them.
    mutating func end(reserving additional: Int) -> UnsafeMutablePointer<UInt8> {
        if count + additional > capacity { grow(by: additional) }
        return end
    }

    private mutating func grow(by additional: Int) {
        capacity = max(1024, 2 * capacity, count + additional)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
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
