package import BusinessLogic
import Glibc

/// A faster reader than ``Submission`` for the JSON bodies that most clients send: string fields in ASCII, each once. See ``FastForm``.
package struct FastSubmission {
    /// The event is the named or the default one, in the page's events.
    package private(set) var index: Int
    package private(set) var values = Value.Object()

    /// Whether the values, if there are any, are in the member `values`.
    package var hasEnvelope: Bool { hasEvent || hasValues }

    private var hasEvent = false
    private var hasValues = false

    /// Returns `nil` if ``Submission`` must read the body.
    package init?(json body: [UInt8], to page: Page) {
        index = page.defaultIndex
        let isPlain = body.withUnsafeBufferPointer { bytes in
            var text = ASCIIJSONReader(bytes: bytes)
            return read(&text, page) && text.isAtEnd
        }
        guard isPlain else { return nil }
    }

    private mutating func read(_ text: inout ASCIIJSONReader, _ page: Page) -> Bool {
        text.object { text, name in
            if text.bytes(name, are: "event") {
                guard !hasEvent, hasValues || values.isEmpty, let name = text.string(),
                    let index = page.eventNames.firstIndex(where: { text.bytes(name, are: $0) })
                else { return false }
                self.index = index
                hasEvent = true
                return true
            }
            if text.bytes(name, are: "values") {
                guard !hasValues, values.isEmpty else { return false }
                hasValues = true
                return text.object { readValue(of: $1, &$0, page) }
            }
            return !hasEvent && !hasValues && readValue(of: name, &text, page)
        }
    }

    private mutating func readValue(of name: Range<Int>, _ text: inout ASCIIJSONReader, _ page: Page) -> Bool {
        guard let index = page.textFields.firstIndex(where: { text.bytes(name, are: $0.bytes) }),
            !values.contains(page.textFields[index].name), let value = text.string(),
            value.count <= page.textFields[index].maximumLength
        else { return false }
        if values.isEmpty { values = Value.Object(capacity: page.fields.count) }
        values.append(page.textFields[index].name, .string(text.text(value)))
        return true
    }
}

/// Reads JSON token by token, as long as its strings are ASCII without escapes.
private struct ASCIIJSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    /// `member` receives the range of each member's name, and reads the value.
    mutating func object(_ member: (inout ASCIIJSONReader, Range<Int>) -> Bool) -> Bool {
        guard take(UInt8(ascii: "{")) else { return false }
        if take(UInt8(ascii: "}")) { return true }
        repeat {
            guard let name = string(), take(UInt8(ascii: ":")), member(&self, name) else { return false }
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}"))
    }

    /// The range between the quotation marks.
    mutating func string() -> Range<Int>? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        skipPlainWords()
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position &+= 1
                return start..<position - 1
            }
            guard (0x20..<0x80).contains(byte), byte != UInt8(ascii: "\\") else { return nil }
            position &+= 1
        }
        return nil
    }

    /// Skips bytes of a string, eight at once, until one ends the string or is rejected, or fewer than eight are left.
    private mutating func skipPlainWords() {
        while bytes.count &- position >= 8, let start = bytes.baseAddress {
            let word = UInt64(littleEndian: UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))
            let others =
                word.nonASCIIBytes | word.bytes(below: 0x20) | word.bytes(equalTo: UInt8(ascii: "\""))
                | word.bytes(equalTo: UInt8(ascii: "\\"))
            // The number of bytes before the first such byte; 8 if all may be skipped.
            position &+= others.trailingZeroBitCount / 8
            if others != 0 { return }
        }
    }

    var isAtEnd: Bool {
        mutating get {
            skipWhitespace()
            return position == bytes.count
        }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    func bytes(_ range: Range<Int>, are text: StaticString) -> Bool {
        bytes(range, are: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func bytes(_ range: Range<Int>, are text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { bytes(range, are: $0) }
    }

    private func bytes(_ range: Range<Int>, are text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == text.count else { return false }
        guard let start = bytes.baseAddress, let other = text.baseAddress else { return text.isEmpty }
        return memcmp(start + range.lowerBound, other, text.count) == 0
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position &+= 1
        return true
    }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position &+= 1
            default: return
            }
        }
    }
}
