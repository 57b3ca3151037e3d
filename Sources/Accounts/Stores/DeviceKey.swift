/// The hash of a device's token (BLAKE2b, 256 bits), by which a store finds the device. Stores never contain the tokens, so
/// that a stolen database reveals none.
public struct DeviceKey: Hashable, Sendable {
    /// The hash.
    public let bytes: [UInt8]

    /// The key with those bytes, as a store has saved them.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The key of a token that a client presents: any text.
    package init(token: String) {
        bytes = blake2b(Array(token.utf8), size: 32)
    }
}
