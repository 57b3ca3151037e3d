/// The parts of header fields by which clients state preferences.
extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The thousandths of a weight such as `q=0.5` (RFC 9110, section 12.4.2); `nil` if it is malformed.
    var quality: Int? {
        let bytes = dropFirst(2)
        guard (1...5).contains(bytes.count), self[startIndex] | 0x20 == UInt8(ascii: "q"),
            self[startIndex + 1] == UInt8(ascii: "=")
        else { return nil }
        var (quality, unit) = (0, 1000)
        for (offset, byte) in bytes.enumerated() {
            if offset == 1 {
                guard byte == UInt8(ascii: ".") else { return nil }
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            quality += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return quality <= 1000 ? quality : nil
    }

    /// The bytes without spaces and tabs around them.
    var trimmed: Self {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = self
        while let first = bytes.first, isSpace(first) { bytes = bytes.dropFirst() }
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        return bytes
    }
}
