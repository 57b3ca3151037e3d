package import BusinessLogic
import CArgon2
import CCrypt
import CGnuTLS
import CSodium
import Glibc

/// A password hash: one of ``Argon2id``, or one that another system has computed with bcrypt, PBKDF2, Argon2i or Argon2id. The first
/// successful login replaces the latter with a hash of ``Argon2id``.
///
/// The input is the UTF-8 of the password in NFC, as for ``Argon2id``. ``matches(_:)`` blocks the calling thread: on an event loop, use
/// ``PasswordHasher``.
package struct PasswordHash: Sendable {
    /// The allowed costs of bcrypt, each of which takes twice as long as the one before it.
    package static let bcryptRange = 4...14
    /// The allowed iterations of PBKDF2, in all blocks of its result together.
    package static let pbkdf2Range = 1...2_000_000
    /// The allowed lanes of Argon2. One thread computes all of them.
    package static let lanesRange = 1...255

    private enum Function: Sendable {
        case bcrypt(setting: String)
        case pbkdf2(gnutls_mac_algorithm_t, iterations: Int)
        /// With libsodium, which computes no other version, number of lanes or length of the salt.
        case argon2id(Argon2Cost)
        case argon2(Argon2_type, Argon2Cost, lanes: Int)
    }

    private let function: Function
    private let salt: [UInt8]
    /// The bytes with which the result is compared.
    private let digest: [UInt8]

    /// Parses a hash in one of the forms that `docs/accounts.md` lists. Throws if it needs more than 256 MiB, or more than the time stated there.
    package init(_ text: String) throws(SettingError) {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        switch fields.prefix(2) {
        case ["", "2a"], ["", "2b"], ["", "2y"]: self = try Self.bcrypt(text, fields)
        default:
            if let hash = try Self.django(text, fields) {
                self = hash
            } else {
                self = try Self.phc(text)
            }
        }
    }

    private init(_ function: Function, salt: [UInt8] = [], digest: [UInt8]) {
        self.function = function
        self.salt = salt
        self.digest = digest
    }

    /// A hash of random bits that matches no known password and takes as long to verify as any other hash of ``Argon2id`` with that cost.
    package static func dummy(_ cost: Argon2Cost) -> PasswordHash {
        PasswordHash(.argon2id(cost), salt: randomBytes(16), digest: randomBytes(32))
    }

    // MARK: Forms

    /// The digits of base64 in `crypt(5)`, from 0 to 63.
    private static let digits = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func isBase64(_ text: Substring, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy(digits.contains)
    }

    /// `$2b$12$…`.
    private static func bcrypt(_ text: String, _ fields: [Substring]) throws(SettingError) -> PasswordHash {
        guard fields.count == 4, fields[2].utf8.count == 2, fields[2].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let cost = Int(fields[2]), isBase64(fields[3], count: 53)
        else { throw .malformed }
        try SettingError.check(cost, "cost of a bcrypt hash", in: bcryptRange)
        return PasswordHash(.bcrypt(setting: text), digest: Array(text.utf8))
    }

    /// `pbkdf2_sha256$ITERATIONS$SALT$HASH`, with a salt in plain text and a hash in base64 with padding; `nil` for another form.
    private static func django(_ text: String, _ fields: [Substring]) throws(SettingError) -> PasswordHash? {
        let functions = [
            "pbkdf2_sha1": "pbkdf2-sha1", "pbkdf2_sha256": "pbkdf2-sha256", "pbkdf2_sha512": "pbkdf2-sha512",
        ]
        guard let function = functions[String(fields[0])] else { return nil }
        guard fields.count == 4, fields[2].utf8.count <= maximumSalt else { throw .malformed }
        // Decoding does not depend on the salt.
        let digest = fields[3].prefix { $0 != "=" }
        guard fields[3].dropFirst(digest.count).count <= 2 else { throw .malformed }
        let hash = try phc("$\(function)$\(fields[1])$\(String(repeating: "A", count: 22))$\(digest)")
        return PasswordHash(hash.function, salt: Array(fields[2].utf8), digest: hash.digest)
    }

    private static let maximumSalt = PHCString.maximumBytes
    private static let digestLengths = 16...64

    private static func phc(_ text: String) throws(SettingError) -> PasswordHash {
        guard let hash = PHCString(text), digestLengths ~= hash.digest.count else { throw .malformed }
        let function: Function
        switch hash.function {
        case "argon2i", "argon2id":
            guard hash.version == 19, let numbers = hash.numbers("m", "t", "p"), hash.salt.count >= 8 else {
                throw .malformed
            }
            let (cost, lanes) = (try Argon2Cost(memory: numbers[0], iterations: numbers[1]), numbers[2])
            try SettingError.check(lanes, "parallelism of an Argon2 hash", in: lanesRange)
            // As RFC 9106 requires.
            guard cost.memory >= 8 * lanes else { throw .malformed }
            let type = hash.function == "argon2i" ? Argon2_i : Argon2_id
            let isOwn = type == Argon2_id && lanes == 1 && hash.salt.count == 16 && hash.digest.count == 32
            function = isOwn ? .argon2id(cost) : .argon2(type, cost, lanes: lanes)
        case let name:
            // With the size of a block of the result, each of which needs all iterations.
            let functions = [
                "pbkdf2": (GNUTLS_MAC_SHA1, 20), "pbkdf2-sha1": (GNUTLS_MAC_SHA1, 20),
                "pbkdf2-sha256": (GNUTLS_MAC_SHA256, 32), "pbkdf2-sha512": (GNUTLS_MAC_SHA512, 64),
            ]
            guard let (mac, blockSize) = functions[String(name)], hash.version == nil,
                let iterations = hash.unnamedNumber ?? hash.numbers("i")?.first
            else { throw .malformed }
            try SettingError.check(iterations, "number of iterations of a PBKDF2 hash", in: pbkdf2Range)
            let blocks = (hash.digest.count + blockSize - 1) / blockSize
            try SettingError.check(
                iterations * blocks,
                "number of iterations of all blocks of a PBKDF2 hash",
                in: pbkdf2Range
            )
            function = .pbkdf2(mac, iterations: iterations)
        }
        return PasswordHash(function, salt: hash.salt, digest: hash.digest)
    }

    /// The cost, if it is a hash of ``Argon2id``; otherwise `nil`.
    package var cost: Argon2Cost? {
        if case .argon2id(let cost) = function { cost } else { nil }
    }

    /// The function and the cost of a hash of ``Argon2id``: `argon2id m=19456,t=2`. Another one is `imported bcrypt`, for example.
    package var description: String {
        switch function {
        case .argon2id(let cost): "argon2id m=\(cost.memory),t=\(cost.iterations)"
        case .bcrypt: "imported bcrypt"
        case .pbkdf2: "imported PBKDF2"
        case .argon2: "imported Argon2"
        }
    }

    // MARK: Verification

    /// Whether a password matches the hash. The comparison takes constant time.
    ///
    /// A password of more than 4,096 code points never matches, because no account has one, however it is composed. One with a NUL matches only
    /// a hash of ``Argon2id``: bcrypt ends there, and HMAC does not distinguish a key from the same one with NULs after it.
    ///
    /// - Throws: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` if there is not enough memory.
    package func matches(_ password: String) throws(CollaboratorError) -> Bool {
        let isTooLong = !password.hasAtMost(codePoints: 4 * AccountText.password.maximum)
        let bytes = isTooLong ? [] : Array(password.normalized.utf8)
        let result: [UInt8]?
        switch function {
        case .bcrypt(let setting): result = try Self.bcrypt(bytes, setting)
        case .pbkdf2(let mac, let iterations):
            result = pbkdf2(bytes, mac, iterations)
        case .argon2id(let cost): result = try argon2id(bytes, cost)
        case .argon2(let type, let cost, let lanes): result = try argon2(bytes, type, cost, lanes)
        }
        guard let result, result.count == digest.count, !isTooLong, cost != nil || !bytes.contains(0) else {
            return false
        }
        return sodium_memcmp(result, digest, digest.count) == 0
    }

    private static func bcrypt(_ password: [UInt8], _ setting: String) throws(CollaboratorError) -> [UInt8]? {
        var memory: UnsafeMutableRawPointer?
        var size: Int32 = 0
        defer {
            if let memory { sodium_memzero(memory, Int(size)) }
            free(memory)
        }
        // bcrypt uses no further bytes.
        let text = password.prefix(72).map { CChar(bitPattern: $0) } + [0]
        let result = crypt_ra(text, setting, &memory, &size)
        guard let result else {
            if errno == ENOMEM { throw .overloaded(retryAfter: .seconds(1)) }
            return nil
        }
        return Array(String(cString: result).utf8)
    }

    private func pbkdf2(_ password: [UInt8], _ mac: gnutls_mac_algorithm_t, _ iterations: Int) -> [UInt8]? {
        var (password, salt) = (password, salt)
        var result = [UInt8](repeating: 0, count: digest.count)
        let status = password.withUnsafeMutableBufferPointer { password in
            salt.withUnsafeMutableBufferPointer { salt in
                var key = gnutls_datum_t(data: password.baseAddress, size: UInt32(password.count))
                var salt = gnutls_datum_t(data: salt.baseAddress, size: UInt32(salt.count))
                return gnutls_pbkdf2(mac, &key, &salt, UInt32(iterations), &result, result.count)
            }
        }
        return status == 0 ? result : nil
    }

    private func argon2id(_ password: [UInt8], _ cost: Argon2Cost) throws(CollaboratorError) -> [UInt8] {
        try startSodium()
        // crypto_pwhash_str_verify() reports a wrong password if there is not enough memory.
        var result = [UInt8](repeating: 0, count: digest.count)
        let status = crypto_pwhash(
            &result,
            UInt64(result.count),
            password.map { CChar(bitPattern: $0) } + [0],
            UInt64(password.count),
            salt,
            UInt64(cost.iterations),
            cost.memory * 1024,
            crypto_pwhash_alg_argon2id13()
        )
        guard status == 0 else { throw .overloaded(retryAfter: .seconds(1)) }
        return result
    }

    private func argon2(
        _ password: [UInt8],
        _ type: Argon2_type,
        _ cost: Argon2Cost,
        _ lanes: Int
    ) throws(CollaboratorError) -> [UInt8]? {
        var (password, salt) = (password, salt)
        var result = [UInt8](repeating: 0, count: digest.count)
        let status = password.withUnsafeMutableBufferPointer { password in
            salt.withUnsafeMutableBufferPointer { salt in
                result.withUnsafeMutableBufferPointer { result in
                    var context = argon2_context()
                    (context.out, context.outlen) = (result.baseAddress, UInt32(result.count))
                    (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(password.count))
                    (context.salt, context.saltlen) = (salt.baseAddress, UInt32(salt.count))
                    context.t_cost = UInt32(cost.iterations)
                    context.m_cost = UInt32(cost.memory)
                    context.lanes = UInt32(lanes)
                    // A hash takes one thread of the hasher, whatever its parallelism.
                    context.threads = 1
                    context.version = ARGON2_VERSION_13.rawValue
                    return argon2_ctx(&context, type)
                }
            }
        }
        if status == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue { throw .overloaded(retryAfter: .seconds(1)) }
        return status == ARGON2_OK.rawValue ? result : nil
    }
}

extension SettingError {
    package static let malformed = SettingError(
        "the hash is not of bcrypt, PBKDF2, Argon2i or Argon2id in a form that is supported"
    )
}

/// A password hash in the PHC string format (https://github.com/P-H-C/phc-string-format):
/// `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
struct PHCString {
    let function: Substring
    /// The version of the hash function; `nil` if the text contains none.
    let version: Int?
    private let parameters: [Substring]
    let salt: [UInt8]
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
        if text.utf8.contains(where: "-_".utf8.contains) { return nil }
        let text = text.replacing(".", with: "-").replacing("+", with: "-").replacing("/", with: "_")
        return [UInt8](base64URL: String(text)).flatMap { $0.count <= maximumBytes ? $0 : nil }
    }
}
