/// A database that counts failed logins.
///
/// Its methods may be called from any number of tasks at the same time, and several processes may share one database. If the store is
/// temporarily unavailable, its methods throw ``/BusinessLogic/CollaboratorError/unavailable(retryAfter:part:)``.
public protocol ThrottleStore: Sendable {
    /// Changes the count of a key atomically. When this returns, the change is durable.
    ///
    /// - Parameters:
    ///   - key: the account or name whose failures are counted.
    ///   - change: is called at most once. A key without a count starts with an empty one.
    /// - Returns: what `change` returns.
    func update<Result: Sendable>(
        _ key: ThrottleKey,
        _ change: @escaping @Sendable (inout FailureCount) -> Result
    ) async throws -> Result

    /// Sets the count of a key to an empty one. During an event whose changes are committed together, the store may defer this to the
    /// commit. All other changes are durable at once.
    func reset(_ key: ThrottleKey) async throws
}
