/// An IP address. One of IPv4 is the same as the one of IPv6 that stands for it (`::ffff:192.0.2.1`).
public struct IPAddress: Hashable, Sendable {
    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// The address of IPv6 with those bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The address of IPv4 with those bits.
    public init(v4 bits: UInt32) {
        self.init(high: 0, low: Self.mapped | UInt64(bits))
    }

    /// What stands before the bits of an IPv4 address.
    private static let mapped: UInt64 = 0xFFFF_0000_0000

    /// Whether it is one of IPv4.
    public var isV4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// Whether it is one of those by which a machine calls itself.
    public var isLoopback: Bool { isV4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// What one customer of a provider has: the address itself, of IPv6 its /64.
    public var rateLimitPrefix: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }
}

extension IPAddress: CustomStringConvertible {
    /// The address as a person writes it; one of IPv6 as RFC 5952 recommends.
    public var description: String {
        isV4 ? v4Description : v6Description
    }

    private var v4Description: String {
        "\(low >> 24 & 0xFF).\(low >> 16 & 0xFF).\(low >> 8 & 0xFF).\(low & 0xFF)"
    }

    private var v6Description: String {
        let groups = [high, low].flatMap { half in (0..<4).map { half >> (48 - 16 * $0) & 0xFFFF } }
        let zeros = Self.longestZeros(groups)
        func text(_ groups: ArraySlice<UInt64>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard zeros.count > 1 else { return text(groups[...]) }
        return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
    }

    /// The first of the longest runs of groups that are zero.
    private static func longestZeros(_ groups: [UInt64]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<(index + 1)
            }
        }
        return longest
    }
}
