extension String {
    /// Whether both texts have the same bytes in UTF-8.
    ///
    /// Use it for names that a client chooses. `==` compares characters: for a run of combining marks its time grows with the
    /// square of their number, and it treats two encodings of one character as equal.
    @inline(__always)
    package func hasSameBytes(as other: String) -> Bool {
        // In most cases both are short or share a buffer, so that their representations are equal.
        isRepresented(as: other) || utf8.count == other.utf8.count && hasSameBytes(asEquallyLong: other)
    }

    private func hasSameBytes(asEquallyLong other: String) -> Bool {
        let count = utf8.count
        let areEqual = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                var index = 0
                while index < count, bytes[index] == others[index] { index &+= 1 }
                return index == count
            }
        }
        return (areEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether both texts have the same representation in memory, which implies that they have the same bytes.
    private func isRepresented(as other: String) -> Bool {
        withUnsafeBytes(of: self) { bytes in
            withUnsafeBytes(of: other) { others in
                bytes.loadUnaligned(as: UInt64.self) == others.loadUnaligned(as: UInt64.self)
                    && bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                        == others.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            }
        }
    }

    /// Whether the text has more than `maximum` Unicode code points. Takes constant time for texts that are much longer.
    package func isLonger(than maximum: Int) -> Bool {
        // A code point has at least one byte and at most four.
        if utf8.count <= maximum { return false }
        return utf8.count > 4 * maximum || unicodeScalars.count > maximum
    }
}

extension String {
    /// The text for use in an error: at most 100 Unicode code points, so that a rejection is never larger than its request.
    package var clipped: String {
        guard isLonger(than: 100) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(100))) + "…"
    }
}
