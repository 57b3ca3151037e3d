internal import BusinessLogic
internal import CSodium

/// The key with which a process recognises the snapshots of sessions that it has given to clients.
package struct InspectionKey: Sendable {
    private let bytes: [UInt8]

    /// A random key.
    package init() { bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) } }

    /// The 256-bit hash (BLAKE2b, RFC 7693) of a snapshot with the key, as hexadecimal digits.
    package func seal(_ snapshot: [UInt8]) -> String {
        var hash = [UInt8](repeating: 0, count: 32)
        let status = crypto_generichash(&hash, hash.count, snapshot, UInt64(snapshot.count), bytes, bytes.count)
        // Only lengths that libsodium does not support are an error.
        precondition(status == 0)
        return hash.hexadecimalDigits
    }
}
