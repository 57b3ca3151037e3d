/// Writes JSON directly into a response's buffer.
///
/// It counts all bytes and stores those that fit. If the JSON is larger than the buffer, it is written again into a buffer of
/// the counted size.
package struct JSONWriter {
    private let memory: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    /// Whether numbers that JSON cannot express are written as `nan` and `inf` instead of null.
    fileprivate var writesNonFiniteNumbers = false

    /// Returns the JSON that `write` writes. It may call `write` twice, which must write the same both times. The capacity is the expected size in
    /// bytes.
    package static func bytes(capacity: Int = 512, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var (bytes, needed): ([UInt8], Int) = ([], capacity)
        repeat {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: needed) { memory in
                var writer = JSONWriter(memory)
                write(&writer)
                needed = writer.count
                if needed <= memory.count { bytes.append(contentsOf: memory[..<needed]) }
            }
        } while bytes.count < needed
        return bytes
    }

    private init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        self.memory = memory
    }

    /// The text must be JSON already.
    package mutating func raw(_ text: StaticString) {
        raw(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The bytes must be JSON already.
    package mutating func raw(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { raw($0) } }

    private mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let source = bytes.baseAddress, let start = memory.baseAddress, count + bytes.count <= memory.count {
            (start + count).update(from: source, count: bytes.count)
        }
        count += bytes.count
    }

    private mutating func raw(_ byte: UInt8) {
        if count < memory.count { memory[count] = byte }
        count += 1
    }

    private mutating func raw(_ text: String) {
        var text = text
        text.withUTF8 { raw($0) }
    }

    package mutating func string(_ string: String) {
        raw(UInt8(ascii: "\""))
        text(string)
        raw(UInt8(ascii: "\""))
    }

    /// Writes the text between a string's quotation marks.
    package mutating func text(_ text: String) {
        // `withUTF8` would need a copy of the string.
        let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { text in
            if Self.needsNoEscape(text) {
                raw(text)
            } else {
                for byte in text { escaped(byte) }
            }
        }
        if isContiguous == nil { for byte in text.utf8 { escaped(byte) } }
    }

    package mutating func integer(_ integer: Int) {
        guard integer >= 0 else { return raw(integer.description) }
        // Unsigned: the compiler then divides by a constant with one multiplication.
        let number = UInt(bitPattern: integer)
        var (rest, digits) = (number, 1)
        while rest >= 10 { (rest, digits) = (rest / 10, digits &+ 1) }
        count += digits
        guard count <= memory.count else { return }
        rest = number
        var position = count
        while digits > 0 {
            position &-= 1
            digits &-= 1
            memory[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Writes null for a number that JSON cannot express.
    package mutating func value(_ value: Value) {
        switch value {
        case .null: raw("null")
        case .boolean(let boolean): boolean ? raw("true") : raw("false")
        case .number(.integer(let integer)): self.integer(integer)
        case .number(.double(let double)):
            double.isFinite || writesNonFiniteNumbers ? raw(double.description) : raw("null")
        case .string(let string): self.string(string)
        case .array(let elements): array(elements) { $0.value($1) }
        case .object(let object): self.object(object)
        }
    }

    package mutating func object(_ object: Value.Object) {
        var separator: StaticString = "{"
        // Iterating over the elements would copy each of them.
        for index in object.members.indices {
            raw(separator)
            separator = ","
            string(object.members[index].name)
            raw(":")
            value(object.members[index].value)
        }
        object.isEmpty ? raw("{}") : raw("}")
    }

    package mutating func array<Elements: Sequence>(
        _ elements: Elements,
        _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        var isFirst = true
        raw("[")
        for element in elements {
            if !isFirst { raw(",") }
            isFirst = false
            write(&self, element)
        }
        raw("]")
    }

    private static func needsNoEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if text.count < 8 {
            return text.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        }
        let bytes = UnsafeRawBufferPointer(text)
        var offset = 0
        while offset < text.count {
            // The last eight bytes, of which some may have been checked.
            offset = min(offset, text.count - 8)
            if !needsNoEscape(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) { return false }
            offset += 8
        }
        return true
    }

    /// Checks eight bytes at once.
    private static func needsNoEscape(_ word: UInt64) -> Bool {
        let escaped =
            word.bytes(below: 0x20) | word.bytes(equalTo: UInt8(ascii: "\""))
            | word.bytes(equalTo: UInt8(ascii: "\\"))
        return escaped == 0
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case UInt8(ascii: "\n"): raw("\\n")
        case UInt8(ascii: "\r"): raw("\\r")
        case UInt8(ascii: "\t"): raw("\\t")
        case 0..<0x20:
            raw("\\u00")
            for digit in [byte >> 4, byte & 15] {
                raw(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        default: raw(byte)
        }
    }
}

extension Value {
    /// Ends with a line feed, for terminals.
    package var json: [UInt8] {
        JSONWriter.bytes {
            $0.value(self)
            $0.raw("\n")
        }
    }
}

extension Value: CustomStringConvertible {
    /// The value in JSON (RFC 8259), without spaces. Numbers that JSON cannot express are `nan`, `inf` and `-inf`.
    public var description: String {
        let bytes = JSONWriter.bytes {
            $0.writesNonFiniteNumbers = true
            $0.value(self)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Value.Object: CustomStringConvertible {
    /// The object in JSON (RFC 8259), without spaces, its members in order.
    public var description: String { Value.object(self).description }
}
