/// The header fields of a request, in order, as one copy of their bytes.
///
/// Names are kept in lower case, since they are compared without regard to case (RFC 9110, section 5.1).
public struct Headers: Sendable {
    private struct Entry {
        let name: Range<Int>
        let value: Range<Int>
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

    mutating func reserveCapacity(bytes: Int, fields: Int) {
        self.bytes.reserveCapacity(bytes)
        entries.reserveCapacity(fields)
    }

    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        let start = bytes.count
        for byte in name { bytes.append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte) }
        let middle = bytes.count
        bytes.append(contentsOf: value)
        entries.append(Entry(name: start..<middle, value: middle..<bytes.count))
    }

    /// The first value of that name, as bytes.
    ///
    /// - Parameter name: in lower case.
    public func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        guard let index = entries.firstIndex(where: { matches($0, name) }) else { return nil }
        return bytes[entries[index].value]
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
        entries.map { (bytes[$0.name], bytes[$0.value]) }
    }

    /// Whether names are tokens (RFC 9110, section 5.6.2) and values hold no control bytes (section 5.5).
    var areWellFormed: Bool {
        bytes.withUnsafeBufferPointer { bytes in
            entries.allSatisfy { entry in
                !entry.name.isEmpty && bytes[entry.name].allSatisfy(\.isTokenByte)
                    && bytes[entry.value].allSatisfy { $0 >= 0x20 ? $0 != 0x7F : $0 == 0x09 }
            }
        }
    }

    private func matches(_ entry: Entry, _ name: StaticString) -> Bool {
        guard entry.name.count == name.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            for offset in 0..<name.utf8CodeUnitCount
            where bytes[entry.name.lowerBound + offset] != name.utf8Start[offset] {
                return false
            }
            return true
        }
    }
}

extension UInt8 {
    /// Whether the byte may stand in a token (RFC 9110, section 5.6.2).
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}
