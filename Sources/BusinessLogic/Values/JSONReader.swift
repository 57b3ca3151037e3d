package struct JSONError: Error, Equatable {
    /// The number of bytes before the error.
    package let offset: Int
    package let reason: String
}

/// Reads JSON strictly as in RFC 8259: UTF-8 without a byte order mark, nothing after the value, no duplicate members,
/// no lone surrogates, at most 32 levels of nesting.
///
/// Foundation's decoder is less strict, and takes more than three times as long.
package struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    private static let maximumDepth = 32

    package static func read(_ bytes: [UInt8]) throws(JSONError) -> Value {
        let result = bytes.withUnsafeBufferPointer { bytes -> Result<Value, JSONError> in
            var reader = JSONReader(bytes: bytes)
            do throws(JSONError) {
                return .success(try reader.readDocument())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The byte at the position; at the end 0, which is not part of JSON's grammar.
    private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private func error(_ reason: String, at offset: Int? = nil) -> JSONError {
        let offset = offset ?? position
        return JSONError(offset: offset, reason: offset >= bytes.count ? "the text ends too early" : reason)
    }

    private mutating func readDocument() throws(JSONError) -> Value {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error("a byte order mark is not allowed") }
        skipWhitespace()
        let value = try readValue(depth: 0)
        skipWhitespace()
        if position < bytes.count { throw error("nothing may follow the value") }
        return value
    }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> Value {
        switch byte {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
        case UInt8(ascii: "t"): return try readLiteral("true", .boolean(true))
        case UInt8(ascii: "f"): return try readLiteral("false", .boolean(false))
        case UInt8(ascii: "n"): return try readLiteral("null", .null)
        default: throw error("expected a value")
        }
    }

    private mutating func readLiteral(_ literal: StaticString, _ value: Value) throws(JSONError) -> Value {
        for offset in 0..<literal.utf8CodeUnitCount {
            guard byte == literal.utf8Start[offset] else { throw error("expected a value") }
            position += 1
        }
        return value
    }

    // MARK: Objects and arrays

    private mutating func readObject(depth: Int) throws(JSONError) -> Value.Object {
        try enter(depth)
        if close(UInt8(ascii: "}")) { return [:] }
        var object = Value.Object(capacity: 4)
        var names = MemberNames()
        repeat {
            skipWhitespace()
            let start = position
            guard byte == UInt8(ascii: "\"") else { throw error("expected a member's name in quotation marks") }
            let name = try readString()
            guard names.insert(name, into: object) else {
                throw JSONError(offset: start, reason: "the member '\(name.clipped)' occurs twice")
            }
            skipWhitespace()
            guard byte == UInt8(ascii: ":") else { throw error("expected ':'") }
            position += 1
            skipWhitespace()
            object.append(name, try readValue(depth: depth))
        } while try separator(or: UInt8(ascii: "}"))
        return object
    }

    private mutating func readArray(depth: Int) throws(JSONError) -> [Value] {
        try enter(depth)
        var elements: [Value] = []
        if close(UInt8(ascii: "]")) { return elements }
        repeat {
            skipWhitespace()
            elements.append(try readValue(depth: depth))
        } while try separator(or: UInt8(ascii: "]"))
        return elements
    }

    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= Self.maximumDepth else { throw error("more than \(Self.maximumDepth) levels deep") }
        position += 1
    }

    /// Whether the object or array closes immediately after it was opened.
    private mutating func close(_ end: UInt8) -> Bool {
        skipWhitespace()
        guard byte == end else { return false }
        position += 1
        return true
    }

    /// Whether there is another element.
    private mutating func separator(or end: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        guard byte == UInt8(ascii: ",") || byte == end else {
            throw error("expected ',' or '\(Character(UnicodeScalar(end)))'")
        }
        defer { position += 1 }
        return byte != end
    }

    // MARK: Strings

    private mutating func readString() throws(JSONError) -> String {
        let opening = position
        let start = position + 1
        var end = start
        var seen: UInt8 = 0
        while end < bytes.count {
            let byte = bytes[end]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            seen |= byte
            end &+= 1
        }
        position = end
        switch byte {
        case UInt8(ascii: "\""):
            position += 1
            return try text(start..<end, isASCII: seen < 0x80)
        case UInt8(ascii: "\\"):
            return try readEscapedString(from: start)
        default:
            if end == bytes.count { throw JSONError(offset: opening, reason: "the string does not end") }
            throw error("a control character must be escaped")
        }
    }

    private func text(_ range: Range<Int>, isASCII: Bool) throws(JSONError) -> String {
        let slice = UnsafeBufferPointer(rebasing: bytes[range])
        if isASCII { return String(decoding: slice, as: UTF8.self) }
        guard let text = String(utf8: slice) else {
            throw JSONError(offset: range.lowerBound + validPrefix(slice), reason: "not UTF-8")
        }
        return text
    }

    private func validPrefix(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var decoder = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var count = 0
        while case .valid(let scalar) = decoder.parseScalar(from: &iterator) { count += scalar.count }
        return count
    }

    private mutating func readEscapedString(from start: Int) throws(JSONError) -> String {
        var text: [UInt8] = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let string = text.withUnsafeBufferPointer({ String(utf8: $0) }) else {
                    // Escapes are ASCII and produce whole characters, so that the invalid byte is in the raw text.
                    let raw = UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
                    throw JSONError(offset: start + validPrefix(raw), reason: "not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                let scalar = try readEscape()
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default:
                if byte < 0x20 { throw error("a control character must be escaped") }
                text.append(byte)
                position += 1
            }
        }
        throw JSONError(offset: start - 1, reason: "the string does not end")
    }

    private mutating func readEscape() throws(JSONError) -> UnicodeScalar {
        let start = position
        position += 1
        let escaped = byte
        position += 1
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UnicodeScalar(escaped)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape(from: start)
        default: throw error("the escape is invalid", at: start)
        }
    }

    private mutating func readUnicodeEscape(from start: Int) throws(JSONError) -> UnicodeScalar {
        let first = try readHexadecimal()
        if let scalar = UnicodeScalar(first) { return scalar }
        guard first < 0xDC00, byte == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw error("a surrogate lacks its other half", at: start) }
        position += 2
        let second = try readHexadecimal()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = UnicodeScalar(0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00))
        else { throw error("a surrogate lacks its other half", at: start) }
        return scalar
    }

    private mutating func readHexadecimal() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                throw error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }

    // MARK: Numbers

    private mutating func readNumber() throws(JSONError) -> Value.Number {
        let start = position
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") {
            position += 1
        } else {
            try readDigits()
        }
        var isIntegral = true
        if byte == UInt8(ascii: ".") {
            isIntegral = false
            position += 1
            try readDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isIntegral = false
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try readDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isIntegral, let integer = Int(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else {
            throw JSONError(offset: start, reason: "the number is too large")
        }
        return .double(double)
    }

    private mutating func readDigits() throws(JSONError) {
        guard byte.isASCIIDigit else { throw error("expected a digit") }
        while byte.isASCIIDigit { position += 1 }
    }
}

/// The names of an object's members after the first 16, so that reading an object takes linear time.
private struct MemberNames {
    // As bytes: Swift's strings are equal if their characters are, even if their code points differ.
    private var names: Set<[UInt8]> = []
    private static let smallCount = 16

    /// Stores a name that the caller adds to the object. Returns `false` if the object already contains it.
    mutating func insert(_ name: String, into object: Value.Object) -> Bool {
        if object.count < Self.smallCount { return !object.contains(name) }
        if names.isEmpty { names = Set(object.map { Array($0.name.utf8) }) }
        return names.insert(Array(name.utf8)).inserted
    }
}

extension String {
    /// The text of the bytes; `nil` if they are not UTF-8. `String(validating:as:)` needs iOS 18.
    fileprivate init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid UTF-8.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
