internal import CSodium

/// What a session is found by: a hash (BLAKE2b, RFC 7693, of 128 bits) of its token, so that whoever sees where sessions are
/// kept cannot get into one.
struct SessionID: Hashable {
    private let high: UInt64
    private let low: UInt64

    /// Whether libsodium has chosen the code that is fastest here.
    private static let isReady = sodium_init() >= 0

    /// The id of the token that consists of these halves.
    init(_ high: UInt64, _ low: UInt64) {
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

    /// Enough of it to tell a session from others in a log, and too little to find it by.
    var brief: String {
        let digits = String(high >> 32, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Half of the bits are random enough for a table.
    func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }

    /// A number below `count`, the same for the same id.
    func shard(of count: Int) -> Int {
        Int(low % UInt64(count))
    }
}
