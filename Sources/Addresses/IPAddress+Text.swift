#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension IPAddress {
    /// Reads an address from text, such as `192.0.2.1` or `2001:db8::1`; `nil` if the text is not an address.
    ///
    /// Ignores a zone (`fe80::1%eth0`). Accepts no white space, brackets or ports.
    public init?(_ text: String) {
        var text = text
        guard let address = text.withUTF8({ Self.address(in: $0) }) else { return nil }
        self = address
    }

    /// Reads an address from the bytes of text, as ``init(_:)-(String)``.
    package init?(_ text: ArraySlice<UInt8>) {
        guard let address = text.withUnsafeBufferPointer({ Self.address(in: $0) }) else { return nil }
        self = address
    }

    private static func address(in text: UnsafeBufferPointer<UInt8>) -> IPAddress? {
        guard text.count <= 64 else { return nil }
        let isV6 = text.contains(UInt8(ascii: ":"))
        let address = text.prefix { $0 != UInt8(ascii: "%") || !isV6 }
        // What follows a NUL would be ignored. A zone is not empty.
        guard !address.contains(0), text.count != address.count + 1 else { return nil }
        // In network byte order. An IPv4 address has the first four bytes.
        var bits: (UInt64, UInt64) = (0, 0)
        let isAddress = withUnsafeTemporaryAllocation(of: CChar.self, capacity: address.count + 1) { copy in
            UnsafeMutableRawBufferPointer(copy).copyBytes(from: address)
            copy[address.count] = 0
            return inet_pton(isV6 ? AF_INET6 : AF_INET, copy.baseAddress, &bits) == 1
        }
        guard isAddress else { return nil }
        let high = UInt64(bigEndian: bits.0)
        return isV6
            ? IPAddress(high: high, low: UInt64(bigEndian: bits.1))
            : IPAddress(v4: UInt32(truncatingIfNeeded: high >> 32))
    }

    var v6Description: String {
        var bits = (high.bigEndian, low.bigEndian)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &bits, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
