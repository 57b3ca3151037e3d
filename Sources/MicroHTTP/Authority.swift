import HTTPMessages

/// A host and perhaps a port, as in a Host header and in an absolute target (RFC 9110, section 7.2).
enum Authority {
    /// The text may be empty: the Host header is empty if the target has no authority.
    static func isWellFormed(_ text: some Collection<UInt8>) -> Bool {
        // For speed: nearly every host is a name or an IPv4 address.
        guard let end = text.firstIndex(where: { !$0.isPlainNameByte }) else { return true }
        if text[end] == UInt8(ascii: ":") { return text[end...].dropFirst().allSatisfy(\.isDigit) }
        return isUnusualHost(ArraySlice(text))
    }

    /// Whether the text names no host: it is empty, or only a port.
    static func hasNoHost(_ text: some Collection<UInt8>) -> Bool {
        text.first == nil || text.first == UInt8(ascii: ":")
    }

    private static func isUnusualHost(_ text: ArraySlice<UInt8>) -> Bool {
        let host = text.first == UInt8(ascii: "[") ? literal(text) : text.prefix(while: \.isNameByte)
        guard let host, !host.contains(UInt8(ascii: "%")) || areEscapesWhole(host) else { return false }
        let port = text[host.endIndex...]
        return port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isDigit)
    }

    private static func literal(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let address = text[..<end].dropFirst()
        guard !address.isEmpty,
            address.allSatisfy({ $0.isNameByte && $0 != UInt8(ascii: "%") || $0 == UInt8(ascii: ":") })
        else { return nil }
        return text[...end]
    }

    /// Whether two hexadecimal digits follow each percent sign (RFC 3986, section 2.1).
    private static func areEscapesWhole(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
            .allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexadecimalDigit) }
    }
}

extension UInt8 {
    /// Whether the byte is allowed in a host's name, whatever follows it.
    fileprivate var isPlainNameByte: Bool { isNameByte && self != UInt8(ascii: "%") }

    /// RFC 3986, section 3.2.2.
    fileprivate var isNameByte: Bool {
        // A bit for each of the 128 ASCII characters: ! $ % & ' ( ) * + , - . 0-9 ; = and A-Z _ a-z ~.
        let low: UInt64 = 0x2BFF_7FF2_0000_0000
        let high: UInt64 = 0x47FF_FFFE_87FF_FFFE
        return self < 64 ? low >> UInt64(self) & 1 == 1 : self < 128 && high >> UInt64(self - 64) & 1 == 1
    }
}
