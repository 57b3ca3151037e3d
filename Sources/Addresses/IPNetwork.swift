/// All addresses that begin with the same bits.
package struct IPNetwork: Hashable, Sendable {
    private let address: IPAddress
    private let highMask: UInt64
    private let lowMask: UInt64

    /// Reads a network from text: `192.0.2.0/24`, `2001:db8::/32`, or a single address; `nil` if the text is not a network.
    ///
    /// Rejects a network with set bits after the prefix (`192.0.2.1/24`), which is probably a mistake.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = IPAddress(parts[0]) else { return nil }
        var bits = 128
        if parts.count > 1 {
            let isV4 = !parts[0].utf8.contains(UInt8(ascii: ":"))
            guard let length = Self.length(parts[1], limit: isV4 ? 32 : 128) else { return nil }
            bits = isV4 ? length + 96 : length
        }
        // A shift by all bits gives zero.
        highMask = ~UInt64(0) << UInt64(max(0, 64 - bits))
        lowMask = ~UInt64(0) << UInt64(min(64, 128 - bits))
        guard address.high & ~highMask == 0, address.low & ~lowMask == 0 else { return nil }
        self.address = address
    }

    private static func length(_ text: String, limit: Int) -> Int? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text), length <= limit
        else { return nil }
        return length
    }

    package func contains(_ other: IPAddress) -> Bool {
        other.high & highMask == address.high && other.low & lowMask == address.low
    }
}
