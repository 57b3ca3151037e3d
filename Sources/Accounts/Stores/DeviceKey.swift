public import BusinessLogic
internal import CSodium

/// What a device is found by: the hash of its token (BLAKE2b, 256 bits). Only hashes are stored, so that a stolen database
/// contains no tokens.
public struct DeviceKey: Hashable, Sendable {
    /// The hash.
    public let bytes: [UInt8]

    /// The key of those bytes, as a store keeps them.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The key of a token.
    ///
    /// - Parameter token: the token that a client presents: any text.
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:)`` if the hash cannot be computed.
    public init(token: String) throws(CollaboratorError) {
        let token = Array(token.utf8)
        var bytes = [UInt8](repeating: 0, count: 32)
        let status = crypto_generichash(&bytes, bytes.count, token, UInt64(token.count), nil, 0)
        guard sodiumHasStarted, status == 0 else { throw .unavailable(retryAfter: .seconds(1)) }
        self.bytes = bytes
    }
}

/// Makes the tokens of devices.
enum DeviceToken {
    /// A new token: 192 random bits as 48 hexadecimal digits in lower case.
    static func random() -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = (0..<24).flatMap { _ in
            let byte = Int(UInt8.random(in: .min ... .max))
            return [digits[byte >> 4], digits[byte & 15]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
