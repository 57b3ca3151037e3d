internal import CSodium
internal import Glibc

/// A password hash in the PHC string format (https://github.com/P-H-C/phc-string-format):
/// `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
struct PHCString {
    /// The name of the hash function.
    let function: Substring
    /// The version of the hash function; `nil` if the text contains none.
    let version: Int?
    private let parameters: [Substring]
    /// The random bytes that were hashed with the password.
    let salt: [UInt8]
    /// The bytes of the hash itself.
    let digest: [UInt8]

    /// The maximum length of a salt or a digest, in bytes.
    static let maximumBytes = 128

    /// Parses a hash; `nil` if it is malformed, because a file or a database may be damaged.
    init?(_ text: String) {
        guard text.utf8.count <= 512, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        var fields = text.split(separator: "$", omittingEmptySubsequences: false)[...]
        guard fields.popFirst()?.isEmpty == true, let function = fields.popFirst() else { return nil }
        var version: Int?
        if let field = fields.first, field.hasPrefix("v=") {
            guard let number = Self.number(field.dropFirst(2)) else { return nil }
            version = number
            fields.removeFirst()
        }
        guard fields.count == 3, let parameters = fields.popFirst(),
            let salt = fields.popFirst().flatMap(Self.bytes), let digest = fields.popFirst().flatMap(Self.bytes)
        else { return nil }
        self.function = function
        self.version = version
        self.parameters = parameters.split(separator: ",", omittingEmptySubsequences: false)
        self.salt = salt
        self.digest = digest
    }

    /// The parameters, in the order of these names; `nil` if there are others, or one is not a number without a sign and without leading
    /// zeros.
    func numbers(_ names: String...) -> [Int]? {
        guard parameters.count == names.count else { return nil }
        var numbers: [Int] = []
        for (parameter, name) in zip(parameters, names) {
            guard parameter.hasPrefix(name + "="), let number = Self.number(parameter.dropFirst(name.count + 1)) else {
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }

    /// The number that is the only parameter and has no name; `nil` for anything else.
    var unnamedNumber: Int? { parameters.count == 1 ? parameters.first.flatMap(Self.number) : nil }

    static func number(_ digits: Substring) -> Int? {
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), digits.first != "0" else { return nil }
        return Int(digits)
    }

    /// Decodes base64 (RFC 4648) without padding. Passlib writes a dot for a plus sign.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let text = text.replacing(".", with: "+")
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        var length = 0
        let status = text.withCString { text in
            sodium_base642bin(
                &bytes,
                bytes.count,
                text,
                strlen(text),
                nil,
                &length,
                nil,
                sodium_base64_VARIANT_ORIGINAL_NO_PADDING
            )
        }
        return status == 0 ? Array(bytes.prefix(length)) : nil
    }
}
