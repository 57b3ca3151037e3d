public import Addresses
import FoundationEssentials
import HTTPMessages

/// Hashes and verifies passwords with Argon2id (RFC 9106) on its own threads, so that event loops do not wait.
///
/// It hashes passwords in NFC (Unicode Standard Annex 15), so that all keyboards give the same result. The methods may be
/// called from any number of tasks at the same time. The hasher needs at most the memory of one hash for each thread. A hash
/// that another system has computed may need 256 MiB. A thread ends when no password waits.
public final class PasswordHasher: Sendable {
    /// The current load of a hasher, and its counts since the start.
    public struct Load: Equatable, Sendable {
        /// The number of passwords that wait for a thread.
        public internal(set) var waiting = 0
        /// The number of passwords that are being hashed or verified.
        public internal(set) var running = 0
        /// The number of passwords that have been hashed or verified since the start.
        public internal(set) var done = 0
        /// The number of passwords that were rejected since the start, because too many waited.
        public internal(set) var rejected = 0
    }

    /// The client and the account for which a password is hashed or verified.
    ///
    /// The threads serve known devices and other clients in turn, networks in turn (for IPv6 each /48, in it each /56, and in that each /64), and the
    /// accounts of one network in turn. So a client that logs in again and again delays only itself, and an attack on one account delays other
    /// clients in the same network by one password at a time.
    public struct Requester: Hashable, Sendable {
        /// The IPv4 address, or the /64 network of the IPv6 address; `nil` if the request did not come over a network.
        let address: IPAddress?
        /// The account, by the name that the client gave; `nil` if there is no account yet.
        let account: AccountKey?
        let isKnownDevice: Bool

        /// A requester.
        ///
        /// - Parameters:
        ///   - address: the IP address of the client. `nil` is an address like any other.
        ///   - account: the name that the client logs in with; `nil` if the account does not exist yet.
        ///   - isKnownDevice: whether the client has logged in to the account before, on the same device.
        public init(address: IPAddress? = nil, account: AccountKey? = nil, isKnownDevice: Bool = false) {
            self.address = address?.rateLimitPrefix
            self.account = account
            self.isKnownDevice = isKnownDevice
        }
    }

    /// The maximum number of threads.
    package let workers: Int

    let maximumWaiting: Int

    /// Internal for tests.
    let threads: WorkerThreads
    private let argon2id: Argon2id
    /// The hash to verify against if there is no account.
    private let dummy: PasswordHash

    /// The default and maximum number of threads: one for each processor.
    public static var processors: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

    /// A hasher.
    ///
    /// - Parameters:
    ///   - cost: the cost of new hashes.
    ///   - workers: the number of threads, from 1 to ``processors``. Other values are clamped to this range.
    ///   - maximumWaiting: the number of passwords that may wait while all threads are busy. A negative value counts as 0. If
    ///     more wait, the hasher rejects the newest password of the client with the most waiting passwords.
    public init(cost: Argon2Cost = .default, workers: Int = PasswordHasher.processors, maximumWaiting: Int = 64) {
        argon2id = Argon2id(cost: cost)
        dummy = .dummy(cost)
        self.workers = min(max(1, workers), Self.processors)
        self.maximumWaiting = max(0, maximumWaiting)
        threads = WorkerThreads(count: self.workers, maximumWaiting: self.maximumWaiting, name: "passwords")
    }

    var cost: Argon2Cost { argon2id.cost }

    /// The current load, and the counts since the start.
    public var load: Load { threads.load }

    /// The hash of a password.
    ///
    /// - Parameters:
    ///   - password: the password in plain text, as the user typed it.
    ///   - requester: the client that waits for the result. The threads serve requesters in turn.
    /// - Returns: a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$…`.
    /// - Throws: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` if too many passwords wait and no other
    ///   requester has more of them, or if there is not enough memory or no thread. `CancellationError` if the task is cancelled
    ///   before a thread has taken the password.
    public func hash(_ password: String, for requester: Requester = Requester()) async throws -> String {
        try await RequestTrace.measure(.hash, "hash a password") {
            try await threads.run(for: requester) { [argon2id] in try argon2id.hash(password) }
        }
    }

    /// Whether a password matches a hash.
    ///
    /// - Parameters:
    ///   - password: the password in plain text, as the user typed it.
    ///   - hash: the account's hash, which another system may have computed; `nil` if there is no account. The result for `nil` or a
    ///     malformed hash is `false`. It takes as long as for a hash of the hasher's cost, so that clients cannot find out which accounts
    ///     exist.
    ///   - requester: the client that waits for the result. The threads serve requesters in turn.
    /// - Throws: as ``hash(_:for:)``.
    public func verify(
        _ password: String,
        _ hash: String?,
        for requester: Requester = Requester()
    ) async throws -> Bool {
        try await RequestTrace.measure(.hash, "verify a password") {
            try await threads.run(for: requester) { [dummy] in
                let stored = hash.flatMap { try? PasswordHash($0) }
                let isRight = try (stored ?? dummy).matches(password)
                return stored != nil && isRight
            }
        }
    }

    /// Whether a hash should be replaced at the next login; see ``Argon2id/needsRehash(_:)``. Does not block.
    func needsRehash(_ hash: String) -> Bool { argon2id.needsRehash(hash) }
}
