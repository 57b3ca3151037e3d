extension String {
    /// Whether both texts have the same bytes in UTF-8.
    ///
    /// Use it for names that a client chooses. `==` compares characters: for a run of combining marks its time grows with the
    /// square of their number, and it treats two encodings of one character as equal.
    package func hasSameBytes(as other: String) -> Bool {
        // In most cases both are short or share a buffer, so that the standard library need not look at the bytes. Replace
        // `_isIdentical` by `isTriviallyIdentical` (SE-0494) when the oldest supported Swift has it.
        _isIdentical(to: other) || utf8.count == other.utf8.count && hasSameBytes(asEquallyLong: other)
    }

    private func hasSameBytes(asEquallyLong other: String) -> Bool {
        let areEqual = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.hasSameBytes(asEquallyLong: $0) }
        }
        return (areEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether the text has more than `maximum` Unicode code points. Takes constant time for texts that are much longer.
    package func isLonger(than maximum: Int) -> Bool {
        // A code point has at least one byte and at most four.
        if utf8.count <= maximum { return false }
        return utf8.count > 4 * maximum || unicodeScalars.count > maximum
    }

    /// Whether the text contains U+0000, which no text of a client may contain: no column of texts in a database can.
    package var containsNUL: Bool { utf8.withContiguousStorageIfAvailable(\.containsZero) ?? utf8.contains(0) }

    /// The text for use in an error: at most 100 Unicode code points, so that a rejection is never larger than its request.
    package var clipped: String {
        guard isLonger(than: 100) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(100))) + "…"
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Compares eight bytes at once, and the last ones one by one.
    fileprivate func hasSameBytes(asEquallyLong other: UnsafeBufferPointer<UInt8>) -> Bool {
        let (bytes, others) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        var index = 0
        while index &+ 8 <= count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard word == others.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
            index &+= 8
        }
        while index < count, self[index] == other[index] { index &+= 1 }
        return index == count
    }

    /// Whether a byte is 0. Looks at eight bytes at once, and at the last ones one by one.
    fileprivate var containsZero: Bool {
        let bytes = UnsafeRawBufferPointer(self)
        var index = 0
        while index &+ 8 <= count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The subtraction sets the highest bit of the lowest byte that is 0.
            if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
            index &+= 8
        }
        while index < count, self[index] != 0 { index &+= 1 }
        return index < count
    }
}
