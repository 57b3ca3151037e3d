internal import BusinessLogic
internal import CSodium

/// Whether libsodium has been initialised, which happens at the first use.
package let sodiumHasStarted = sodium_init() >= 0

func startSodium() throws(CollaboratorError) {
    guard sodiumHasStarted else { throw .unavailable(retryAfter: .seconds(1)) }
}

/// The hash of bytes (BLAKE2b).
///
/// - Parameter size: the number of its bytes, from 16 to 64.
package func blake2b(_ bytes: [UInt8], size: Int) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: size)
    // Fails only for other sizes.
    _ = crypto_generichash(&hash, size, bytes, UInt64(bytes.count), nil, 0)
    return hash
}
