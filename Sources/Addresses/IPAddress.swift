/// An IP address, version 4 or 6. An IPv4 address equals its IPv4-mapped IPv6 address (`::ffff:192.0.2.1`).
public struct IPAddress: Hashable, Sendable {
    /// The first 64 bits of the IPv6 address.
    package let high: UInt64
    /// The last 64 bits of the IPv6 address.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The IPv4 address with these bits, of which the highest belong to the first number.
    package init(v4 bits: UInt32) {
        self.init(high: 0, low: Self.mapped | UInt64(bits))
    }

    /// The prefix of an IPv4-mapped address, in its last 64 bits.
    private static let mapped: UInt64 = 0xFFFF_0000_0000

    package var isV4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// Whether this is a loopback address: in `127.0.0.0/8`, or `::1`.
    public var isLoopback: Bool { isV4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// The address by which a limit counts: the same address for IPv4, and the first address of the /64 network for IPv6.
    ///
    /// One customer of a provider has all addresses of such a network.
    public var rateLimitPrefix: IPAddress { isV4 ? self : network(64) }

    /// The first address of the network of an IPv6 address. The network's prefix has 1 to 64 bits.
    package func network(_ bits: Int) -> IPAddress { IPAddress(high: high & ~UInt64(0) << (64 - bits), low: 0) }
}

extension IPAddress: CustomStringConvertible {
    /// The address as text: `192.0.2.1`, or `2001:db8::1` (RFC 5952, section 4).
    public var description: String { isV4 ? v4Description : v6Description }

    private var v4Description: String {
        // The access log has it for each rejected login. By interpolation, it takes 1,500 instructions more.
        String(unsafeUninitializedCapacity: 15) { bytes in
            var count = 0
            func put(_ byte: UInt8) {
                bytes[count] = byte
                count += 1
            }
            for index in 0..<4 {
                if index > 0 { put(UInt8(ascii: ".")) }
                let number = UInt8(truncatingIfNeeded: low >> (24 - 8 * index))
                if number >= 100 { put(UInt8(ascii: "0") + number / 100) }
                if number >= 10 { put(UInt8(ascii: "0") + number / 10 % 10) }
                put(UInt8(ascii: "0") + number % 10)
            }
            return count
        }
    }
}
