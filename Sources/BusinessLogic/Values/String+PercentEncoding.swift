extension String {
    /// The text with `%XX` (RFC 3986, section 2.1) instead of each byte that does not stand for itself.
    package func percentEncoded(unless standsForItself: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in utf8 {
            if standsForItself(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension UInt8 {
    @inlinable
    package var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    @inlinable
    package var isASCIIAlphanumeric: Bool { isASCIIDigit || (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// RFC 3986, section 2.3.
    package var isUnreservedInURI: Bool { isASCIIAlphanumeric || "-._~".utf8.contains(self) }
}
