import Glibc

/// The header fields of a request, in order.
///
/// Names are stored in lower case, and found whatever their case. All names and values are in one copy of their bytes.
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    @usableFromInline
    var storage = HeaderStorage()

    /// Creates headers without fields.
    public init() {}

    /// Creates headers with the given fields, of which several may have the same name.
    public init(dictionaryLiteral fields: (HeaderName, String)...) {
        self.init(fields.map { (name: $0, value: $1) })
    }

    /// Creates headers with the given fields.
    public init(_ fields: [HeaderField]) {
        for (name, value) in fields { append(name: Array(name.description.utf8), value: Array(value.utf8)) }
    }

    /// The bytes of a field in memory that belongs to other code.
    package struct Field {
        package let name: UnsafeBufferPointer<UInt8>
        package var value: UnsafeBufferPointer<UInt8>

        package init(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
            self.name = name
            self.value = value
        }
    }

    /// Copies fields, even if a name or value is malformed; see ``areWellFormed``. The headers must not be shared yet.
    package mutating func append(_ fields: UnsafeBufferPointer<Field>) { storage.append(fields) }

    /// See ``append(_:)``.
    package mutating func append(name: [UInt8], value: [UInt8]) {
        name.withUnsafeBufferPointer { name in
            value.withUnsafeBufferPointer { value in
                withUnsafePointer(to: Field(name: name, value: value)) {
                    append(UnsafeBufferPointer(start: $0, count: 1))
                }
            }
        }
    }

    package var count: Int { storage.count }

    /// The number of bytes in all names and values.
    package var size: Int { storage.size }

    /// Whether all names are tokens (RFC 9110, section 5.6.2) and no value contains a control byte except the tab (section 5.5).
    package var areWellFormed: Bool { storage.areWellFormed }

    /// Removes all header fields, and keeps the memory for the next ones if it is not shared.
    package mutating func removeAll() {
        if isKnownUniquelyReferenced(&storage) { storage.removeAll() } else { storage = HeaderStorage() }
    }

    /// The first value of that name, as bytes; `nil` if there is no such field.
    public func first(_ name: HeaderName) -> ArraySlice<UInt8>? { withFirst(name) { ArraySlice($0) } }

    /// The bytes are not copied; `nil` if there is no such field.
    // Inlined, here and below: otherwise, an event takes 2.4 to 3.8 % more instructions.
    @inlinable
    @inline(__always)
    package func withFirst<Result>(
        _ name: HeaderName,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try withExtendedLifetime(self) {
            guard let index = storage.index(of: name) else { return nil }
            return try body(storage.value(at: index))
        }
    }

    /// `nil` if `body` returns no result.
    @inlinable
    @inline(__always)
    package func firstResult<Result>(
        of name: HeaderName,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result?
    ) rethrows -> Result? {
        try withExtendedLifetime(self) {
            var index = -1
            while let value = nextValue(name, after: &index) {
                if let result = try body(value) { return result }
            }
            return nil
        }
    }

    /// The bytes exist as long as the headers; `nil` if no further field has that name. Changes the index of the previous value to that of the
    /// result.
    @inlinable
    @inline(__always)
    func nextValue(_ name: HeaderName, after index: inout Int) -> UnsafeBufferPointer<UInt8>? {
        guard let next = storage.index(of: name, after: index) else { return nil }
        index = next
        return storage.value(at: next)
    }

    /// If there are several values, they have commas between them (RFC 9110, section 5.3); `nil` if there is no such field.
    @inlinable
    @inline(__always)
    package func withCombined<Result>(
        _ name: HeaderName,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        guard let first = storage.index(of: name) else { return nil }
        if isRepeated(name) { return try combined(name).withUnsafeBufferPointer(body) }
        let result = try body(storage.value(at: first))
        // Not around the call, which would need the metadata of a generic result.
        withExtendedLifetime(self) {}
        return result
    }

    @usableFromInline
    func combined(_ name: HeaderName) -> [UInt8] { Array(values(name).joined(separator: [UInt8(ascii: ",")])) }

    /// Whether the first value of that name consists of the bytes of `value`. Case matters.
    public func first(_ name: HeaderName, is value: StaticString) -> Bool {
        withFirst(name) { $0.areBytes(of: value) } ?? false
    }

    /// The first value of that name, as text; `nil` if there is no such field. U+FFFD replaces bytes that are not UTF-8.
    public subscript(name: HeaderName) -> String? {
        withFirst(name) { String(decoding: $0, as: UTF8.self) }
    }

    /// All values of that name as bytes, in order.
    public func values(_ name: HeaderName) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        var index = -1
        while let value = nextValue(name, after: &index) { values.append(ArraySlice(value)) }
        return values
    }

    @inlinable
    @inline(__always)
    package func count(of name: HeaderName) -> Int {
        var count = 0
        var index = -1
        while let next = storage.index(of: name, after: index) {
            count += 1
            index = next
        }
        return count
    }

    @inlinable
    @inline(__always)
    package func isRepeated(_ name: HeaderName) -> Bool { storage.repeatedBits & name.bit != 0 && count(of: name) > 1 }

    /// All names and values, in order.
    public var all: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        (0..<count).map { (ArraySlice(storage.name(at: $0)), ArraySlice(storage.value(at: $0))) }
    }
}

/// The fields of `Headers`. The headers are one reference to it, so that passing them on is cheap.
///
/// Sendable because only its creator writes it, and only before it is shared.
@usableFromInline
final class HeaderStorage: @unchecked Sendable {
    /// The start of a field's name, the end of its name and start of its value, and the end of its value.
    private struct Entry {
        let start, middle, end: Int
    }

    // Without `@exclusivity(unchecked)`, an event takes 4,450 instructions more in a plain build.
    @exclusivity(unchecked) private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)
    @exclusivity(unchecked) private var entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: 0)
    /// The bits of the names (``HeaderName/bitNumber``): a Bloom filter, which rules out most names without a search.
    @usableFromInline
    @exclusivity(unchecked)
    var bits: UInt64 = 0
    /// For each of these bits, the index of the first field whose name has it, or a lower one; undefined without such a field.
    @usableFromInline
    let firstIndices = UnsafeMutablePointer<UInt16>.allocate(capacity: 64)
    /// The bits of which there was one more: no second field has a name whose bit is not among them.
    @usableFromInline
    var repeatedBits: UInt64 = 0
    private(set) var count = 0
    /// The number of bytes in use.
    private(set) var size = 0
    private(set) var areWellFormed = true

    deinit {
        bytes.deallocate()
        entries.deallocate()
        firstIndices.deallocate()
    }

    func removeAll() {
        size = 0
        count = 0
        bits = 0
        repeatedBits = 0
        areWellFormed = true
    }

    func append(_ fields: UnsafeBufferPointer<Headers.Field>) {
        let end = fields.reduce(size) { $0 + $1.name.count + $1.value.count }
        let index = count
        count += fields.count
        if end + Vector.scalarCount > bytes.count { bytes.grow(to: max(512, 2 * end), keeping: size) }
        if count > entries.count { entries.grow(to: max(32, 2 * count), keeping: index) }
        guard let bytes = bytes.baseAddress, let entries = entries.baseAddress else { return }
        for (offset, field) in fields.enumerated() {
            let middle = size &+ field.name.count
            let entry = Entry(start: size, middle: middle, end: middle &+ field.value.count)
            (entries + index + offset).initialize(to: entry)
            addBit(of: field.name, at: index + offset)
            let isName = copyToken(field.name, to: UnsafeMutableRawPointer(bytes + size))
            let isValue = copyText(field.value, to: UnsafeMutableRawPointer(bytes + middle))
            areWellFormed = areWellFormed && isName && isValue
            size = entry.end
        }
    }

    private func addBit(of name: UnsafeBufferPointer<UInt8>, at index: Int) {
        let bitNumber = HeaderName.bitNumber(of: name)
        let bit: UInt64 = 1 &<< UInt64(bitNumber)
        if bits & bit == 0 { firstIndices[bitNumber] = UInt16(truncatingIfNeeded: index) }
        repeatedBits |= bits & bit
        bits |= bit
    }

    /// The first field of that name, or the first after `previous`.
    @inlinable
    @inline(__always)
    func index(of name: HeaderName, after previous: Int = -1) -> Int? {
        guard bits & name.bit != 0, previous < 0 || repeatedBits & name.bit != 0 else { return nil }
        let start = max(previous &+ 1, Int(firstIndices[name.bitNumber]))
        guard case .constant(_, let text) = name.text else { return index(ofLiteralOrCopy: name, from: start) }
        let lowercase = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return index(of: lowercase, from: start, isLowercase: true)
    }

    @usableFromInline
    func index(ofLiteralOrCopy name: HeaderName, from start: Int) -> Int? {
        var text = name.description
        return text.withUTF8 { index(of: $0, from: start, isLowercase: false) }
    }

    @usableFromInline
    func index(of name: UnsafeBufferPointer<UInt8>, from start: Int, isLowercase: Bool) -> Int? {
        guard let bytes = bytes.baseAddress, let text = name.baseAddress else { return nil }
        var index = start
        while index < count {
            let entry = entries[index]
            let start = bytes + entry.start
            if entry.middle &- entry.start == name.count,
                isLowercase ? memcmp(start, text, name.count) == 0 : strncasecmp(start, text, name.count) == 0
            {
                return index
            }
            index &+= 1
        }
        return nil
    }

    func name(at index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[entries[index].start..<entries[index].middle])
    }

    @usableFromInline
    func value(at index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[entries[index].middle..<entries[index].end])
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func areBytes(of text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let start = baseAddress else { return false }
        return memcmp(start, text.utf8Start, count) == 0
    }
}

extension UnsafeMutableBufferPointer {
    /// Keeps the first elements.
    fileprivate mutating func grow(to capacity: Int, keeping count: Int) where Element: BitwiseCopyable {
        let larger = Self.allocate(capacity: capacity)
        _ = larger.update(fromContentsOf: self[..<count])
        deallocate()
        self = larger
    }
}

/// Bytes that are checked at once.
private typealias Vector = SIMD16<UInt8>

extension SIMDMask<SIMD16<Int8>> {
    fileprivate var isEmpty: Bool {
        let words = unsafeBitCast(self, to: SIMD2<UInt64>.self)
        return words[0] | words[1] == 0
    }
}

/// Copies a header's name in lower case; `false` if it is not a token (RFC 9110, section 5.6.2). Overwrites a vector behind the copy.
private func copyToken(_ name: UnsafeBufferPointer<UInt8>, to copy: UnsafeMutableRawPointer) -> Bool {
    guard let start = name.baseAddress, !name.isEmpty else { return false }
    copy.copyMemory(from: start, byteCount: name.count)
    let hyphens = Vector(repeating: UInt8(ascii: "-"))
    // So that the last vector contains nothing else.
    copy.storeBytes(of: hyphens, toByteOffset: name.count, as: Vector.self)
    for offset in stride(from: 0, to: name.count, by: Vector.scalarCount) {
        let bytes = copy.loadUnaligned(fromByteOffset: offset, as: Vector.self)
        let lowercased = bytes | Vector(repeating: 0x20)
        let isLetter = (lowercased &- Vector(repeating: UInt8(ascii: "a"))) .< Vector(repeating: 26)
        // Nearly all names consist of letters and hyphens.
        guard (.!(isLetter .| bytes .== hyphens)).isEmpty else { return copyUnusualToken(name, to: copy) }
        copy.storeBytes(of: lowercased, toByteOffset: offset, as: Vector.self)
    }
    return true
}

private func copyUnusualToken(_ name: UnsafeBufferPointer<UInt8>, to copy: UnsafeMutableRawPointer) -> Bool {
    var isToken = true
    for (offset, byte) in name.enumerated() {
        copy.storeBytes(of: byte.lowercasedTokenByte ?? byte, toByteOffset: offset, as: UInt8.self)
        isToken = isToken && byte.isTokenByte
    }
    return isToken
}

/// Copies a header's value; `false` if it contains a control byte other than the tab (RFC 9110, section 5.5). Overwrites a vector behind
/// the copy.
private func copyText(_ value: UnsafeBufferPointer<UInt8>, to copy: UnsafeMutableRawPointer) -> Bool {
    guard let start = value.baseAddress else { return true }
    copy.copyMemory(from: start, byteCount: value.count)
    // So that the last vector contains nothing else.
    copy.storeBytes(of: Vector(repeating: UInt8(ascii: " ")), toByteOffset: value.count, as: Vector.self)
    var isControl = SIMDMask<SIMD16<Int8>>(repeating: false)
    for offset in stride(from: 0, to: value.count, by: Vector.scalarCount) {
        let bytes = copy.loadUnaligned(fromByteOffset: offset, as: Vector.self)
        isControl = isControl .| bytes .== Vector(repeating: 0x7F)
            .| (bytes .< Vector(repeating: 0x20) .& bytes .!= Vector(repeating: UInt8(ascii: "\t")))
    }
    return isControl.isEmpty
}
