/// An Argon2id hash as it is stored, `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`: the PHC string format
/// (https://github.com/P-H-C/phc-string-format) with the one version and the one lane that libsodium computes.
struct Argon2idString {
    /// The hash as it is written: ASCII, and shorter than the 128 bytes that libsodium reads.
    let text: String
    /// What it costs to verify a password.
    let cost: Argon2Cost

    private static let maximumLength = 127

    /// Reads a hash. `nil` where it is malformed, or costs more than is allowed: what is stored may be damaged.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 6,
            fields[0].isEmpty, fields[1] == "argon2id", fields[2] == "v=19",
            Self.isBase64(fields[4]), Self.isBase64(fields[5]),
            let cost = Self.cost(fields[3])
        else { return nil }
        self.text = text
        self.cost = cost
    }

    private static func cost(_ text: Substring) -> Argon2Cost? {
        let parameters = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parameters.count == 3, parameters[2] == "p=1",
            let memory = number(parameters[0], behind: "m="),
            let iterations = number(parameters[1], behind: "t=")
        else { return nil }
        return try? Argon2Cost(memory: memory, iterations: iterations)
    }

    /// A number without a sign and without zeros before it.
    private static func number(_ text: Substring, behind name: String) -> Int? {
        let digits = text.dropFirst(name.count)
        guard text.hasPrefix(name), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), digits.first != "0" else {
            return nil
        }
        return Int(digits)
    }

    private static func isBase64(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "/"): true
                default: false
                }
            }
    }
}
