/// A stored Argon2id hash, `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`. The version, the number of lanes and the length of the salt are
/// fixed, because libsodium computes no others.
struct Argon2idString {
    /// The cost of verifying a password.
    let cost: Argon2Cost
    /// The 16 random bytes that were hashed with the password.
    let salt: [UInt8]
    /// The 32 bytes of the hash itself.
    let digest: [UInt8]

    static let saltLength = 16
    static let digestLength = 32

    /// Parses a hash; `nil` if it is malformed or its cost is not allowed, because a database may be damaged.
    init?(_ text: String) {
        guard let hash = PHCString(text), hash.function == "argon2id", hash.version == 19,
            let numbers = hash.numbers("m", "t", "p"), numbers[2] == 1,
            let cost = try? Argon2Cost(memory: numbers[0], iterations: numbers[1]),
            hash.salt.count == Self.saltLength, hash.digest.count == Self.digestLength
        else { return nil }
        self.cost = cost
        salt = hash.salt
        digest = hash.digest
    }
}
