import BusinessLogic
import CSodium

/// Whether libsodium has been initialised, which happens at the first use.
package let sodiumHasStarted = sodium_init() >= 0

func startSodium() throws(CollaboratorError) {
    guard sodiumHasStarted else { throw .unavailable(retryAfter: .seconds(1)) }
}

/// Random bytes that cannot be predicted.
package func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
}

package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    return hash
}

/// A hash (BLAKE2b) of 16 to 64 bytes.
package func blake2b(_ bytes: [UInt8], size: Int) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: size)
    // Fails only for other sizes.
    _ = crypto_generichash(&hash, size, bytes, UInt64(bytes.count), nil, 0)
    return hash
}
