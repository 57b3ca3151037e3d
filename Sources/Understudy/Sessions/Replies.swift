/// The answers of the last requests that had an idempotency key, so that the same request gets the same answer and
/// nothing runs twice.
struct Replies: Codable, Equatable, Sendable {
    /// An answer that was given.
    struct Reply: Codable, Equatable, Sendable {
        let key: String
        /// Tells requests apart: what was posted, and where.
        let fingerprint: UInt32
        let status: Int
        let body: [UInt8]
    }

    private var replies: [Reply] = []
    private static let limit = 16

    /// The answer that was given to the key.
    subscript(key: String) -> Reply? {
        replies.first { $0.key == key }
    }

    /// Keeps an answer; the oldest one goes.
    mutating func append(_ reply: Reply) {
        if replies.count == Self.limit { replies.removeFirst() }
        replies.append(reply)
    }

    /// Tells one body on one page from another (FNV-1a). Of 32 bits, so that a body cannot be found out from it.
    static func fingerprint(page: String, body: [UInt8]) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for byte in page.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        hash = hash &* 16_777_619
        for byte in body { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return hash
    }
}
