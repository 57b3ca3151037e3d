import BusinessLogic

/// Writes JSON straight into the buffer that goes out.
struct JSONWriter {
    /// What has been written.
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes text that is JSON already.
    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a string.
    mutating func string(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        text(string)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes what stands between a string's quotation marks.
    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { text in
            if text.contains(where: Self.needsEscape) {
                for byte in text { escaped(byte) }
            } else {
                bytes.append(contentsOf: text)
            }
        }
    }

    /// Writes an integer.
    mutating func integer(_ integer: Int) {
        guard integer >= 0 else {
            bytes.append(contentsOf: integer.description.utf8)
            return
        }
        var divisor = 1
        while integer / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(integer / divisor % 10))
            divisor /= 10
        }
    }

    /// Writes any value. A number that JSON cannot express is null.
    mutating func value(_ value: Value) {
        switch value {
        case .null: raw("null")
        case .boolean(let boolean): boolean ? raw("true") : raw("false")
        case .number(.integer(let integer)): self.integer(integer)
        case .number(.double(let double)):
            double.isFinite ? bytes.append(contentsOf: double.description.utf8) : raw("null")
        case .string(let string): self.string(string)
        case .array(let elements): array(elements) { $0.value($1) }
        case .object(let object): self.object(object)
        }
    }

    /// Writes an object.
    mutating func object(_ object: Value.Object) {
        var separator: StaticString = "{"
        for (name, value) in object {
            raw(separator)
            separator = ","
            string(name)
            raw(":")
            self.value(value)
        }
        object.isEmpty ? raw("{}") : raw("}")
    }

    /// Writes an array, each element by itself.
    mutating func array<Elements: Sequence>(
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

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
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
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        default: bytes.append(byte)
        }
    }
}

extension Value {
    /// The value as JSON, with a line end for whoever reads it at a prompt.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        writer.raw("\n")
        return writer.bytes
    }
}
