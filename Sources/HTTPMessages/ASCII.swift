// Classes of ASCII bytes.

extension UInt8 {
    /// `nil` if the byte is not allowed in a token (RFC 9110, section 5.6.2).
    package var lowercasedTokenByte: UInt8? {
        guard self < 128 else { return nil }
        let byte = tokenBytes.utf8Start[Int(self)]
        return byte == 0 ? nil : byte
    }

    /// RFC 9110, section 5.6.2.
    package var isTokenByte: Bool { lowercasedTokenByte != nil }

    /// Leaves any byte other than an ASCII letter unchanged.
    @inlinable
    package var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }

    @inlinable
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    package var isLetter: Bool { lowercased &- UInt8(ascii: "a") < 26 }

    package var isHexadecimalDigit: Bool { hexadecimalDigit != nil }

    /// `nil` if the byte is not such a digit.
    package var hexadecimalDigit: UInt8? {
        if isDigit { return self - UInt8(ascii: "0") }
        let letter = lowercased &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }

    @inlinable
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

/// For each ASCII character, its lower case, or NUL if a token must not contain it.
private let tokenBytes: StaticString = """
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \0!\0#$%&'\0\0*+\0-.\00123456789\0\0\0\0\0\0\
    \0abcdefghijklmnopqrstuvwxyz\0\0\0^_\
    `abcdefghijklmnopqrstuvwxyz\0|\0~\0
    """

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    @inlinable
    package var trimmed: Self {
        guard let last = lastIndex(where: { !$0.isBlank }) else { return prefix(0) }
        return self[...last].drop(while: \.isBlank)
    }
}

extension Sequence<UInt8> {
    /// Whether the bytes are equal without regard to the case of ASCII letters.
    package func equalsIgnoringCase(_ other: some Sequence<UInt8>) -> Bool {
        elementsEqual(other) { $0.lowercased == $1.lowercased }
    }
}
