internal import CSodium
internal import Glibc

/// A stored Argon2id hash, `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`, in the PHC string format
/// (https://github.com/P-H-C/phc-string-format). The version, the number of lanes and the length of the salt are fixed, because
/// libsodium computes no others.
struct Argon2idString {
    /// The cost of verifying a password.
    let cost: Argon2Cost
    /// The 16 random bytes that were hashed with the password.
    let salt: [UInt8]
    /// The 32 bytes of the hash itself.
    let digest: [UInt8]

    static let saltLength = 16
    static let digestLength = 32
    /// The maximum length of a hash as text, in bytes.
    private static let maximumLength = 127

    /// Parses a hash; `nil` if it is malformed or its cost is not allowed, because a database may be damaged.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 6,
            fields[0].isEmpty, fields[1] == "argon2id", fields[2] == "v=19",
            let cost = Self.cost(fields[3]),
            let salt = Self.bytes(fields[4], count: Self.saltLength),
            let digest = Self.bytes(fields[5], count: Self.digestLength)
        else { return nil }
        self.cost = cost
        self.salt = salt
        self.digest = digest
    }

    private static func cost(_ text: Substring) -> Argon2Cost? {
        let parameters = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parameters.count == 3, parameters[2] == "p=1",
            let memory = number(parameters[0], after: "m="),
            let iterations = number(parameters[1], after: "t=")
        else { return nil }
        return try? Argon2Cost(memory: memory, iterations: iterations)
    }

    /// Parses a number without a sign and without leading zeros.
    private static func number(_ text: Substring, after name: String) -> Int? {
        let digits = text.dropFirst(name.count)
        guard text.hasPrefix(name), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), digits.first != "0" else {
            return nil
        }
        return Int(digits)
    }

    /// Decodes exactly `count` bytes from base64 (RFC 4648) without padding.
    private static func bytes(_ text: Substring, count: Int) -> [UInt8]? {
        let text = String(text)
        var bytes = [UInt8](repeating: 0, count: count)
        var length = 0
        let status = text.withCString { text in
            sodium_base642bin(
                &bytes,
                count,
                text,
                strlen(text),
                nil,
                &length,
                nil,
                sodium_base64_VARIANT_ORIGINAL_NO_PADDING
            )
        }
        return status == 0 && length == count ? bytes : nil
    }
}
