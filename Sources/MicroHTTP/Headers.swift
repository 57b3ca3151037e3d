internal import Glibc

/// The header fields of a request, in order, as one copy of their bytes.
///
/// Names are kept in lower case, since they are compared without regard to case (RFC 9110, section 5.1).
public struct Headers: Sendable {
    /// Where a field's name starts, where it ends and its value starts, and where that ends.
    private struct Entry {
        let start, middle, end: Int32

        var value: Range<Int> { Int(middle)..<Int(end) }
    }

    /// Room for names and values, of which ``size`` bytes are in use: written to where it lies, which takes a quarter of
    /// the time of appending.
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// A bit for each length that a name has, so that most names that are not there need not be looked for.
    private var lengths: UInt64 = 0

    /// No header fields.
    public init() {}

    /// The given header fields.
    public init(_ fields: KeyValuePairs<String, String>) {
        for (name, value) in fields {
            var (name, value) = (name, value)
            name.withUTF8 { name in value.withUTF8 { value in append(name: name, value: value) } }
        }
    }

    /// How many header fields there are.
    public var count: Int { entries.count }

    /// The bytes of all names and values.
    private(set) var size = 0

    /// Removes all header fields, and keeps the memory for the next ones.
    mutating func removeAll() {
        size = 0
        entries.removeAll(keepingCapacity: true)
        lengths = 0
        areWellFormed = true
    }

    /// Whether names are tokens (RFC 9110, section 5.6.2) and values hold no control bytes (section 5.5).
    private(set) var areWellFormed = true

    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        let (start, middle) = (size, size + name.count)
        size = middle + value.count
        if size > bytes.count {
            bytes.append(contentsOf: repeatElement(0, count: max(256, bytes.count, size - bytes.count)))
        }
        entries.append(Entry(start: Int32(start), middle: Int32(middle), end: Int32(size)))
        lengths |= Self.bit(ofLength: name.count)
        let isWellFormed = bytes.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return copyToken(name, to: base + start) && copyText(value, to: base + middle)
        }
        areWellFormed = areWellFormed && isWellFormed
    }

    /// The first value of that name, as bytes.
    ///
    /// - Parameter name: in lower case.
    public func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        entry(of: name).map { bytes[$0.value] }
    }

    /// Whether the first value of that name is those bytes.
    ///
    /// - Parameter name: in lower case.
    public func first(_ name: StaticString, is value: StaticString) -> Bool {
        guard let entry = entry(of: name), entry.value.count == value.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return value.utf8CodeUnitCount == 0 }
            return memcmp(start + Int(entry.middle), value.utf8Start, value.utf8CodeUnitCount) == 0
        }
    }

    /// The first value of that name, as text; bytes that are not UTF-8 are replaced.
    ///
    /// - Parameter name: in lower case.
    public subscript(name: StaticString) -> String? {
        first(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// All values of that name, in order.
    ///
    /// - Parameter name: in lower case.
    public func values(_ name: StaticString) -> some Sequence<ArraySlice<UInt8>> {
        entries.lazy.filter { matches($0, name) }.map { bytes[$0.value] }
    }

    /// How many times a header of that name stands there.
    ///
    /// - Parameter name: in lower case.
    public func count(of name: StaticString) -> Int {
        mayHold(name) ? entries.count { matches($0, name) } : 0
    }

    /// All names and values, in order.
    public var all: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        entries.map { (bytes[Int($0.start)..<Int($0.middle)], bytes[$0.value]) }
    }

    private func entry(of name: StaticString) -> Entry? {
        mayHold(name) ? entries.first { matches($0, name) } : nil
    }

    private func mayHold(_ name: StaticString) -> Bool {
        lengths & Self.bit(ofLength: name.utf8CodeUnitCount) != 0
    }

    /// Lengths that differ by 64 share a bit.
    private static func bit(ofLength length: Int) -> UInt64 {
        1 &<< UInt64(truncatingIfNeeded: length)
    }

    private func matches(_ entry: Entry, _ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard Int(entry.middle &- entry.start) == count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return count == 0 }
            return memcmp(start + Int(entry.start), name.utf8Start, count) == 0
        }
    }
}

/// For each ASCII character the byte that stands for it in a token in lower case, or NUL where none may stand there.
private let tokenBytes: StaticString = """
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \0!\0#$%&'\0\0*+\0-.\00123456789\0\0\0\0\0\0\
    \0abcdefghijklmnopqrstuvwxyz\0\0\0^_\
    `abcdefghijklmnopqrstuvwxyz\0|\0~\0
    """

/// Copies a header's name in lower case; `false` where it is no token (RFC 9110, section 5.6.2).
private func copyToken(_ name: UnsafeBufferPointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) -> Bool {
    guard let start = name.baseAddress else { return false }
    var isToken = !name.isEmpty
    for index in 0..<name.count {
        let byte = start[index]
        if let lowercased = byte.lowercasedTokenByte {
            copy[index] = lowercased
        } else {
            copy[index] = byte
            isToken = false
        }
    }
    return isToken
}

/// Copies a header's value; `false` where it holds a control byte other than the tab (RFC 9110, section 5.5).
private func copyText(_ value: UnsafeBufferPointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) -> Bool {
    guard let start = value.baseAddress else { return true }
    copy.update(from: start, count: value.count)
    var offset = 0
    while offset + 8 <= value.count {
        // Eight bytes at once: a borrow shows bytes below 0x20, the exclusive or bytes that are 0x7F.
        let word = UnsafeRawPointer(start + offset).loadUnaligned(as: UInt64.self)
        let deletes = word ^ 0x7F7F_7F7F_7F7F_7F7F
        let low = (word &- 0x2020_2020_2020_2020) & ~word
        let delete = (deletes &- 0x0101_0101_0101_0101) & ~deletes
        if (low | delete) & 0x8080_8080_8080_8080 != 0 { break }
        offset += 8
    }
    while offset < value.count {
        let byte = start[offset]
        if byte < 0x20 && byte != 0x09 || byte == 0x7F { return false }
        offset += 1
    }
    return true
}

extension UInt8 {
    /// The byte in lower case, where it may stand in a token (RFC 9110, section 5.6.2).
    fileprivate var lowercasedTokenByte: UInt8? {
        guard self < 128 else { return nil }
        let byte = tokenBytes.utf8Start[Int(self)]
        return byte == 0 ? nil : byte
    }

    /// Whether the byte may stand in a token (RFC 9110, section 5.6.2).
    var isTokenByte: Bool { lowercasedTokenByte != nil }
}
