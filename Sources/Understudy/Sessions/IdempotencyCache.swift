import BusinessLogic

/// The answers of the last requests that had an idempotency key, so that the same request gets the same answer and
/// nothing runs twice.
struct IdempotencyCache: Codable, Equatable, Sendable {
    /// An answer that was given.
    struct Reply: Codable, Equatable, Sendable {
        let key: String
        /// Tells requests apart: what was posted, and where.
        let fingerprint: UInt32
        let status: Int
        let body: [UInt8]

        /// The bytes that the response takes.
        var memorySize: Int { Value.bufferSize + body.count + key.memorySize + MemoryLayout<Reply>.stride }
    }

    private var replies: [Reply] = []

    /// The bytes that all of them take.
    var memorySize: Int { replies.isEmpty ? 0 : replies.reduce(Value.bufferSize) { $0 + $1.memorySize } }

    /// Removes the oldest ones until they take at most so many bytes, but never the newest one.
    mutating func trim(toMemorySize maximum: Int) {
        while replies.count > 1, memorySize > maximum { replies.removeFirst() }
    }

    private static let limit = 16

    /// The answer that was given to the key.
    subscript(key: String) -> Reply? {
        replies.first { $0.key.hasSameBytes(as: key) }
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
