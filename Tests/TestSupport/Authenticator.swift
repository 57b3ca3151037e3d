import Accounts
import CSodium
import Glibc

/// An authenticator and its client, with one passkey, which `openssl` signs with. Each part of what they say can be replaced.
package struct Authenticator {
    /// The keys, which all tests share.
    package enum Key {
        case es256, rsa

        static let es256Text = Result { try newKey("ec", "ec_paramgen_curve:prime256v1") }
        static let rsaText = Result { try newKey("rsa", "rsa_keygen_bits:2048") }

        static func newKey(_ algorithm: String, _ option: String) throws -> [UInt8] {
            try openssl(["genpkey", "-algorithm", algorithm, "-pkeyopt", option])
        }

        /// Calls `body` with the path of a file that contains the key.
        fileprivate func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
            try withTemporaryFile(try (self == .rsa ? Self.rsaText : Self.es256Text).get(), body)
        }
    }

    package struct NoKey: Error {}

    package var key = Key.es256

    package var id: [UInt8] = [1, 2, 3, 4]
    package var responseID: [UInt8]?
    package var type: Value? = "webauthn.create"
    package var challenge: Value?
    package var origin: Value? = "https://shop.example"
    package var crossOrigin: Value? = false
    package var topOrigin: Value?
    package var relyingParty = "shop.example"
    /// Present, with a passkey.
    package var flags: UInt8 = 0b0100_0001
    package var counter: UInt32 = 0
    package var handle: [UInt8]? = [9]
    package var algorithm: [UInt8] = [0x26]
    /// What is behind the passkey, or behind the counter of a login.
    package var excess: [UInt8] = []

    /// An authenticator that creates a passkey.
    package init() {}

    /// An authenticator at a login.
    package static var atLogin: Authenticator {
        var authenticator = Authenticator()
        authenticator.type = "webauthn.get"
        authenticator.flags = 0b0000_0001
        return authenticator
    }

    func clientData(_ challenge: [UInt8]) -> [UInt8] {
        var content: Value.Object = [:]
        content["type"] = type
        content["challenge"] = self.challenge ?? .string(challenge.base64URL)
        content["origin"] = origin
        content["crossOrigin"] = crossOrigin
        content["topOrigin"] = topOrigin
        return Value.object(content).json
    }

    func header() -> [UInt8] {
        let digits = (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * UInt32($0))) }
        return Self.sha256(relyingParty.bytes) + [flags] + digits
    }

    /// What the client sends after it has created the passkey.
    package func registration(_ challenge: [UInt8]) throws -> Value {
        let length = [UInt8(id.count >> 8), UInt8(id.count & 0xFF)]
        let data = header() + [UInt8](repeating: 0, count: 16) + length + id + (try coseKey()) + excess
        return response(["clientDataJSON": text(clientData(challenge)), "authenticatorData": text(data)])
    }

    /// A map with the type of the key, the algorithm and the numbers (RFC 9053 section 7.1.1, RFC 8230 section 4).
    func coseKey() throws -> [UInt8] {
        let der = try key.withFile { try openssl(["pkey", "-in", $0, "-pubout", "-outform", "DER"]) }
        switch key {
        case .es256:
            let point = der.suffix(64)
            return [0xA5, 0x01, 0x02, 0x03] + algorithm + [0x20, 0x01, 0x21, 0x58, 0x20] + point.prefix(32)
                + [0x22, 0x58, 0x20] + point.suffix(32)
        case .rsa:
            // The modulus, and then the exponent 65,537 with its tag and length.
            let modulus = der.dropLast(5).suffix(256)
            return [0xA4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59, 0x01, 0x00] + modulus
                + [0x21, 0x43, 0x01, 0x00, 0x01]
        }
    }

    /// What the client sends after a login.
    ///
    /// - Parameter signed: what is signed; `nil` for what is sent.
    package func login(_ challenge: [UInt8], signed: [UInt8]? = nil) throws -> Value {
        let (clientData, data) = (clientData(challenge), header() + excess)
        let signature = try key.withFile { key in
            try withTemporaryFile(signed ?? data + Self.sha256(clientData)) { file in
                try openssl(["dgst", "-sha256", "-sign", key, file])
            }
        }
        var content: Value.Object = [
            "clientDataJSON": text(clientData), "authenticatorData": text(data), "signature": text(signature),
        ]
        if let handle { content["userHandle"] = text(handle) }
        return response(content)
    }

    func response(_ content: Value.Object) -> Value {
        let id = text(responseID ?? id)
        return ["type": "public-key", "id": id, "rawId": id, "response": .object(content)]
    }

    func text(_ bytes: [UInt8]) -> Value { .string(bytes.base64URL) }

    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }
}

/// Calls `body` with the path of a file with that content, and removes it.
private func withTemporaryFile<Result>(_ content: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let folder = TemporaryFolder()
    try folder.write("content", bytes: content)
    return try withExtendedLifetime(folder) { try body(folder.file("content")) }
}

/// What `openssl` prints. Not with Foundation's `Process`, which is not safe next to tests that start processes at the same time.
private func openssl(_ arguments: [String]) throws -> [UInt8] {
    let command = (["/usr/bin/openssl"] + arguments).map { "'\($0)'" }.joined(separator: " ") + " 2>/dev/null"
    guard let output = popen(command, "r") else { throw Authenticator.NoKey() }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let count = fread(&buffer, 1, buffer.count, output), count > 0 { bytes += buffer.prefix(count) }
    guard pclose(output) == 0 else { throw Authenticator.NoKey() }
    return bytes
}
