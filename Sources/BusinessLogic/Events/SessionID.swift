/// Identifies a session of a service, without giving access to it: the 128-bit hash (BLAKE2b, RFC 7693) of its token. A session gets another
/// one when its user changes.
public struct SessionID: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    private static let size = 16

    /// The ID with these bytes, as session stores contain it; `nil` unless they are 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        (high, low) = bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    package init(_ high: UInt64, _ low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Hashes 64 of the 128 bits, which are random enough.
    public func hash(into hasher: inout Hasher) { hasher.combine(low) }

    /// The 16 bytes by which session stores find the session.
    public var bytes: [UInt8] { withUnsafeBytes(of: (high, low)) { Array($0) } }
}

extension SessionID: LosslessStringConvertible {
    /// The ID that ``description`` means; `nil` for any other text.
    public init?(_ description: String) {
        guard description.utf8.count == 2 * Self.size,
            let high = UInt64(description.prefix(Self.size), radix: 16),
            let low = UInt64(description.suffix(Self.size), radix: 16)
        else { return nil }
        self.init(UInt64(bigEndian: high), UInt64(bigEndian: low))
        // A sign, and digits in upper case, are another text.
        guard self.description == description else { return nil }
    }

    /// The bytes as 32 hexadecimal digits.
    public var description: String { bytes.hexadecimalDigits }
}

extension Sequence<UInt8> {
    package var hexadecimalDigits: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
