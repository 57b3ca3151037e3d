extension IPAddress {
    /// Reads an address from text, such as `192.0.2.1` or `2001:db8::1`; `nil` if the text is not an address.
    ///
    /// Ignores a zone (`fe80::1%eth0`). Accepts no white space, brackets or ports.
    public init?(_ text: String) {
        var text = text
        guard let address = text.withUTF8({ Self.address(in: $0[...]) }) else { return nil }
        self = address
    }

    /// Reads an address from the bytes of text, as ``init(_:)-(String)``.
    package init?(_ text: ArraySlice<UInt8>) {
        guard let address = text.withUnsafeBufferPointer({ Self.address(in: $0[...]) }) else { return nil }
        self = address
    }

    private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private static func address(in text: Text) -> IPAddress? {
        guard text.count <= 64 else { return nil }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return v4(text).map(IPAddress.init(v4:)) }
        let address = text.prefix { $0 != UInt8(ascii: "%") }
        guard colon < address.endIndex, text.count != address.count + 1 else { return nil }
        return v6(address)
    }

    /// Reads four numbers. Rejects a leading zero, which some programs read as the mark of an octal number.
    private static func v4(_ text: Text) -> UInt32? {
        var bits: UInt32 = 0
        var number: UInt32 = 0
        var (digits, numbers) = (0, 1)
        for byte in text {
            if byte == UInt8(ascii: ".") {
                guard digits > 0, numbers < 4 else { return nil }
                bits = bits << 8 | number
                (number, digits, numbers) = (0, 0, numbers + 1)
            } else {
                guard byte &- UInt8(ascii: "0") < 10, digits == 0 || number > 0 else { return nil }
                number = 10 * number + UInt32(byte & 0x0F)
                digits += 1
                guard number <= 255 else { return nil }
            }
        }
        return digits > 0 && numbers == 4 ? bits << 8 | number : nil
    }

    private static func v6(_ text: Text) -> IPAddress? {
        var gap: Int?
        for index in text.indices.dropLast() where gap == nil {
            if text[index] == UInt8(ascii: ":"), text[index + 1] == UInt8(ascii: ":") { gap = index }
        }
        guard let gap else {
            guard let groups = Groups(text, isEnd: true), groups.count == 8 else { return nil }
            return groups.address
        }
        guard var left = Groups(text[..<gap], isEnd: false), let right = Groups(text[(gap + 2)...], isEnd: true),
            left.count + right.count < 8
        else { return nil }
        while left.count < 8 { left.append(0) }
        return IPAddress(high: left.high | right.high, low: left.low | right.low)
    }

    /// Groups of 16 bits, separated by colons.
    private struct Groups {
        private(set) var high: UInt64 = 0
        private(set) var low: UInt64 = 0
        private(set) var count = 0

        var address: IPAddress { IPAddress(high: high, low: low) }

        /// - Parameter isEnd: whether the last two groups may be written as an IPv4 address.
        init?(_ text: Text, isEnd: Bool) {
            guard !text.isEmpty else { return }
            var rest = text
            while true {
                let group = rest.prefix { $0 != UInt8(ascii: ":") }
                let isLast = group.endIndex == rest.endIndex
                if isLast, isEnd, group.contains(UInt8(ascii: ".")) {
                    guard let bits = IPAddress.v4(group) else { return nil }
                    append(UInt64(bits >> 16))
                    append(UInt64(bits & 0xFFFF))
                } else {
                    guard let bits = Self.number(group) else { return nil }
                    append(bits)
                }
                guard count <= 8 else { return nil }
                if isLast { return }
                rest = rest[(group.endIndex + 1)...]
            }
        }

        mutating func append(_ group: UInt64) {
            high = high << 16 | low >> 48
            low = low << 16 | group
            count += 1
        }

        private static func number(_ digits: Text) -> UInt64? {
            // Signs, which the standard library accepts, are before the digits in ASCII.
            guard (1...4).contains(digits.count), digits.allSatisfy({ $0 >= UInt8(ascii: "0") }) else { return nil }
            return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
        }
    }
}
