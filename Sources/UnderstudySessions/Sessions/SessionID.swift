package import BusinessLogic
internal import CSodium

/// Identifies a session: the 128-bit hash (BLAKE2b, RFC 7693) of its token. Reading a store reveals IDs, but no tokens.
package struct SessionID: Hashable {
    private let high: UInt64
    private let low: UInt64

    /// Whether libsodium has started: it has selected its fastest implementation for this processor, and opened its random source.
    static let isReady = sodium_init() >= 0

    /// The ID of the token that consists of these halves.
    package init(_ high: UInt64, _ low: UInt64) {
        _ = Self.isReady
        let token = (high, low)
        var id: (UInt64, UInt64) = (0, 0)
        withUnsafeBytes(of: token) { token in
            withUnsafeMutableBytes(of: &id) { id in
                let (input, output) = (
                    token.assumingMemoryBound(to: UInt8.self), id.assumingMemoryBound(to: UInt8.self)
                )
                guard let start = output.baseAddress else { return }
                _ = crypto_generichash(start, output.count, input.baseAddress, UInt64(input.count), nil, 0)
            }
        }
        (self.high, self.low) = id
    }

    /// The ID with these bytes; `nil` unless they are 16.
    package init?(bytes: [UInt8]) {
        guard let reference = SessionReference(bytes: bytes) else { return nil }
        self.init(reference)
    }

    /// The 16 bytes of the hash.
    package var bytes: [UInt8] { reference.bytes }

    /// The ID that collaborators know by its reference.
    package init(_ reference: SessionReference) {
        (high, low) = (reference.high, reference.low)
    }

    /// What collaborators know of the ID.
    package var reference: SessionReference { SessionReference(high, low) }

    /// The first 32 bits in hexadecimal digits, for logs: enough to distinguish sessions, too few to find one.
    package var brief: String { Self.hexadecimal(leading32Bits) }

    /// The first 32 bits.
    package var leading32Bits: UInt32 { UInt32(truncatingIfNeeded: high >> 32) }

    /// The number as eight hexadecimal digits.
    package static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Hashes 64 of the 128 bits, which are random enough.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }

    /// A number from 0 up to, not including, `count`. It is always the same for the same ID.
    func shard(of count: Int) -> Int {
        Int(low % UInt64(count))
    }
}
