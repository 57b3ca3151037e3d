/// Recovery codes as users see them: ten characters, as in `k7f9q-2m8ht`. Two of them find the hash, and the others have 40 bits, which takes
/// 700 years to guess with a stolen database, at 20 ms for each hash.
enum RecoveryCodes {
    /// The number of codes that an account gets.
    static let count = 10
    static let length = 10
    /// The number of the characters by which the hash of a code is found.
    static let prefixLength = 2

    // Those of base32 in Crockford's order: without i, l, o and u, which are mistaken for others.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// New codes, without hyphens. No two begin with the same characters.
    static func random() -> [String] {
        var codes: [String: String] = [:]
        while codes.count < count {
            let code = String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices)] })
            codes[String(code.prefix(prefixLength))] = code
        }
        return Array(codes.values)
    }

    static func shown(_ code: String) -> String { code.prefix(length / 2) + "-" + code.dropFirst(length / 2) }

    /// A code as a user has typed it, as it was created: in lower case, without white space and hyphens.
    static func normalized(_ typed: String) -> String {
        typed.lowercased().filter { !$0.isWhitespace && $0 != "-" }
            .replacing("o", with: "0").replacing("i", with: "1").replacing("l", with: "1")
    }
}
