package import BusinessLogic
internal import CSodium

/// The hash of a device's token (BLAKE2b, 256 bits), by which a store finds the device. Stores never contain the tokens, so
/// that a stolen database reveals none.
public struct DeviceKey: Hashable, Sendable {
    /// The hash.
    public let bytes: [UInt8]

    /// The key with those bytes, as a store has saved them.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The key of a token.
    ///
    /// - Parameter token: the token that a client presents: any text.
    /// - Throws: ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)`` if the hash cannot be computed.
    package init(token: String) throws(CollaboratorError) {
        let token = Array(token.utf8)
        var bytes = [UInt8](repeating: 0, count: 32)
        let status = crypto_generichash(&bytes, bytes.count, token, UInt64(token.count), nil, 0)
        guard sodiumHasStarted, status == 0 else { throw .unavailable(retryAfter: .seconds(1)) }
        self.bytes = bytes
    }
}
