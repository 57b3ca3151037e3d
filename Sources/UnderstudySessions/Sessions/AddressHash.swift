package import Addresses
import CSodium
import Synchronization
import BusinessLogic

/// What a session stores of the address from which it was started: 64 bits of a keyed hash (BLAKE2b, RFC 7693) of the address, or for IPv6
/// of its /64. It is enough to count sessions, and does not reveal the address without the key.
package struct AddressHash: Hashable {
    private let bits: UInt64

    /// The key has 16 to 64 bytes.
    package init(_ prefix: IPAddress, key: [UInt8]) {
        let input = withUnsafeBytes(of: (prefix.high.bigEndian, prefix.low.bigEndian)) { Array($0) }
        // The shortest hash that libsodium computes has 128 bits.
        bits = input.hashed(16, key: key).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    /// `nil` unless there are 8 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == MemoryLayout<AddressHash>.size else { return nil }
        bits = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: bits) { Array($0) } }
}

/// The key with which a service hashes addresses: a random one, until the service has read the one that its store keeps.
package final class AddressKey: Sendable {
    private let key = Mutex((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    private let stored = Atomic<Bool>(false)

    package init() {}

    package var isStored: Bool { stored.load(ordering: .acquiring) }

    /// Ignores a key that does not have 16 to 64 bytes.
    package func use(_ bytes: [UInt8]) {
        if (16...64).contains(bytes.count) { key.withLock { $0 = bytes } }
        stored.store(true, ordering: .releasing)
    }

    package func hash(_ prefix: IPAddress) -> AddressHash { AddressHash(prefix, key: key.withLock { $0 }) }

    /// The token of the session of what has that identifier. It cannot be computed without the key.
    package func token(of identifier: [UInt8]) -> SessionToken? {
        let digits = Array(identifier.hashed(16, key: key.withLock { $0 }).hexadecimalDigits.utf8)
        return digits.withUnsafeBytes { SessionToken($0) }
    }
}

/// The key with which a process recognises the snapshots of sessions that it has given to clients.
package struct InspectionKey: Sendable {
    private let bytes: [UInt8]

    package init() { bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) } }

    /// The 256-bit hash (BLAKE2b, RFC 7693) of a snapshot with the key, as hexadecimal digits.
    package func seal(_ snapshot: [UInt8]) -> String { snapshot.hashed(32, key: bytes).hexadecimalDigits }
}
