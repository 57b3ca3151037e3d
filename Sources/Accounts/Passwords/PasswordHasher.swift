public import Addresses
import BusinessLogic
import Foundation

/// Hashes and verifies passwords on threads of its own, so that event loops do not wait. Used from any number of tasks at
/// once; none of the work is done on their threads.
///
/// The memory that it needs at once is at most what a hash costs for each thread. The threads end when it is released.
public final class PasswordHasher: Sendable {
    /// How much a hasher has to do, and how much it has done.
    public struct Load: Equatable, Sendable {
        /// How many passwords wait for a thread.
        public internal(set) var waiting = 0
        /// How many are being hashed or verified.
        public internal(set) var running = 0
        /// How many have been, since the start.
        public internal(set) var done = 0
        /// How many were refused since too many waited, since the start.
        public internal(set) var refused = 0
    }

    /// The client and the account for which a password is hashed or verified.
    ///
    /// Addresses take turns, and within an address its accounts take turns. So a client that logs in again and again delays
    /// only itself, and an attack on one account delays other clients at the same address for one password at a time.
    public struct Requester: Hashable, Sendable {
        /// The IPv4 address, or the /64 network of the IPv6 address; `nil` if the request did not come over a network.
        let address: IPAddress?
        /// The account, by the name that the client gave; `nil` if there is no account yet.
        let account: AccountKey?

        /// A requester.
        ///
        /// - Parameters:
        ///   - address: the IP address of the client. `nil` is an address like any other.
        ///   - account: the name that the client logs in with; `nil` if the account does not exist yet.
        public init(address: IPAddress? = nil, account: AccountKey? = nil) {
            self.address = address?.rateLimitPrefix
            self.account = account
        }
    }

    /// How many threads there are.
    public let workers: Int

    /// Internal for tests.
    let threads: WorkerThreads
    private let argon2id: Argon2id
    /// What is verified against where there is no account.
    private let dummyHash: String

    /// How many threads a hasher has unless said otherwise, and at the most: one a processor.
    public static var processors: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

    /// A hasher, whose threads start.
    ///
    /// - Parameters:
    ///   - cost: what new hashes cost.
    ///   - workers: how many threads; taken as 1 where it is less, and as ``processors`` where it is more.
    ///   - maximumWaiting: how many passwords may wait while all threads are busy; 0 if it is negative. If more wait, the
    ///     newest one of the client with the most is refused.
    /// - Throws: ``PasswordHasherError`` where the threads cannot be started.
    public convenience init(
        cost: Argon2Cost = .default,
        workers: Int = PasswordHasher.processors,
        maximumWaiting: Int = 64
    ) throws(PasswordHasherError) {
        try self.init(cost: cost, workers: workers, maximumWaiting: maximumWaiting, onThreadEnd: {})
    }

    /// - Parameter onThreadEnd: is called at the end of each thread, by it.
    init(
        cost: Argon2Cost,
        workers: Int,
        maximumWaiting: Int,
        onThreadEnd: @escaping @Sendable () -> Void
    ) throws(PasswordHasherError) {
        argon2id = Argon2id(cost: cost)
        dummyHash = argon2id.dummyHash()
        self.workers = min(max(1, workers), Self.processors)
        threads = try WorkerThreads(
            count: self.workers,
            maximumWaiting: max(0, maximumWaiting),
            name: "passwords",
            onThreadEnd: onThreadEnd
        )
    }

    deinit {
        threads.close()
    }

    /// What new hashes cost.
    public var cost: Argon2Cost { argon2id.cost }

    /// How much there is to do, and how much has been done.
    public var load: Load { threads.load }

    /// Hashes a password, as ``Argon2id`` does.
    ///
    /// - Parameters:
    ///   - password: the password in plain text, as it was typed.
    ///   - requester: the client that waits for it. Requesters take turns.
    /// - Returns: a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$…`.
    /// - Throws: ``/BusinessLogic/CollaboratorError/overloaded(retryAfter:)`` if too many passwords wait and no other
    ///   requester has more of them, or if there is not enough memory. `CancellationError` if the task is cancelled
    ///   before the work has begun. The work is not done then.
    public func hash(_ password: String, for requester: Requester = Requester()) async throws -> String {
        try await threads.run(for: requester) { [argon2id] in try argon2id.hash(password) }
    }

    /// Whether a hash is the one of that password.
    ///
    /// - Parameters:
    ///   - password: the password in plain text, as it was typed.
    ///   - hash: the account's hash. `nil` where there is no account: it takes as long as for an account whose hash is of
    ///     ``cost``, so that nobody learns which accounts there are, and is false. So it is for a hash that
    ///     ``Argon2id/canVerify(_:)`` refuses.
    ///   - requester: the client that waits for it. Requesters take turns.
    /// - Throws: as ``hash(_:for:)``.
    public func verify(
        _ password: String,
        _ hash: String?,
        for requester: Requester = Requester()
    ) async throws -> Bool {
        try await threads.run(for: requester) { [argon2id, dummyHash] in
            guard let hash, argon2id.canVerify(hash) else {
                _ = try argon2id.verify(password, dummyHash)
                return false
            }
            return try argon2id.verify(password, hash)
        }
    }

    /// Whether the password is to be hashed anew when it is known: see ``Argon2id/needsRehash(_:)``. Answers at once.
    public func needsRehash(_ hash: String) -> Bool {
        argon2id.needsRehash(hash)
    }
}

/// Why a ``PasswordHasher`` could not be made.
public enum PasswordHasherError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Its threads could not be started.
    case cannotStart(reason: String)

    public var description: String {
        switch self {
        case .cannotStart(let reason): "cannot start the threads that hash passwords: \(reason)"
        }
    }
}
