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

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

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
    var size: Int { bytes.count }

    /// Removes all header fields, and keeps the memory for the next ones.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        areWellFormed = true
    }

    /// Whether names are tokens (RFC 9110, section 5.6.2) and values hold no control bytes (section 5.5).
    private(set) var areWellFormed = true

    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        let start = bytes.count
        let middle = start + name.count
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
        entries.append(Entry(start: Int32(start), middle: Int32(middle), end: Int32(bytes.count)))
        let isWellFormed = bytes.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return lowercaseToken(base + start, count: middle - start)
                && !holdsControls(base + middle, count: bytes.count - middle)
        }
        areWellFormed = areWellFormed && isWellFormed
    }

    /// The first value of that name, as bytes.
    ///
    /// - Parameter name: in lower case.
    public func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        for entry in entries where matches(entry, name) { return bytes[entry.value] }
        return nil
    }

    /// Whether the first value of that name is those bytes.
    ///
    /// - Parameter name: in lower case.
    public func first(_ name: StaticString, is value: StaticString) -> Bool {
        guard let entry = entries.first(where: { matches($0, name) }), entry.value.count == value.utf8CodeUnitCount
        else {
            return false
        }
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
        entries.count { matches($0, name) }
    }

    /// All names and values, in order.
    public var all: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        entries.map { (bytes[Int($0.start)..<Int($0.middle)], bytes[$0.value]) }
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

/// Makes a header's name lower case; `false` where it is no token (RFC 9110, section 5.6.2).
private func lowercaseToken(_ name: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    var next = name
    let end = name + count
    while next < end {
        let byte = next.pointee
        guard byte.isTokenByte else { return false }
        if byte &- UInt8(ascii: "A") < 26 { next.pointee = byte | 0x20 }
        next += 1
    }
    return count > 0
}

/// Whether a header's value holds a control byte other than the tab (RFC 9110, section 5.5).
private func holdsControls(_ value: UnsafePointer<UInt8>, count: Int) -> Bool {
    var offset = 0
    while offset + 8 <= count {
        // Eight bytes at once: a borrow shows bytes below 0x20, the exclusive or bytes that are 0x7F.
        let word = UnsafeRawPointer(value + offset).loadUnaligned(as: UInt64.self)
        let deletes = word ^ 0x7F7F_7F7F_7F7F_7F7F
        let low = (word &- 0x2020_2020_2020_2020) & ~word
        let delete = (deletes &- 0x0101_0101_0101_0101) & ~deletes
        if (low | delete) & 0x8080_8080_8080_8080 != 0 { break }
        offset += 8
    }
    while offset < count {
        let byte = value[offset]
        if byte < 0x20 && byte != 0x09 || byte == 0x7F { return true }
        offset += 1
    }
    return false
}

extension UInt8 {
    /// Whether the byte may stand in a token (RFC 9110, section 5.6.2).
    var isTokenByte: Bool {
        // A bit for each of the 128 ASCII characters: ! # $ % & ' * + - . 0-9 and A-Z ^ _ ` a-z | ~.
        let low: UInt64 = 0x03FF_6CFA_0000_0000
        let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
        return self < 64 ? low >> UInt64(self) & 1 == 1 : self < 128 && high >> UInt64(self - 64) & 1 == 1
    }
}
