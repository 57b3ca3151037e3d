import Synchronization

/// A write that a store has deferred to the commit of an event. Only the store that has created it can execute it.
public protocol StoreWrite: Sendable {}

/// What an event changes outside of its session. The service commits it together with the session and the response, in one
/// transaction.
///
/// A store that shares its database with the session store finds the unit of work of the current event in ``current``, and adds its
/// writes instead of executing them. At the commit, a write that finds other data than the store has read makes the commit fail, and
/// the event runs again.
///
/// Any number of tasks may use it at the same time.
public final class UnitOfWork: Sendable {
    /// The unit of work of the event that the current task handles; `nil` outside of an event, or if events are not committed.
    public static var current: UnitOfWork? { ofTask }

    @TaskLocal package static var ofTask: UnitOfWork?

    /// Identifies the database that executes the writes; `nil` without one.
    public let database: ObjectIdentifier?

    private struct State {
        var writes: [any StoreWrite] = []
        var lastWrites: [any StoreWrite] = []
        var actions: [@Sendable () async -> Void] = []
        var results: [Result] = []
    }

    private struct Result {
        let name: String
        let arguments: [String]
        let value: any Sendable
    }

    private let state = Mutex(State())

    /// Creates an empty unit of work.
    public init(database: ObjectIdentifier?) {
        self.database = database
    }

    /// The unit of work of the current event, if its writes are executed in that database.
    public static func current(in database: AnyObject) -> UnitOfWork? {
        guard let current, current.database == ObjectIdentifier(database) else { return nil }
        return current
    }

    /// Adds a write.
    public func add(_ write: any StoreWrite) { state.withLock { $0.writes.append(write) } }

    /// Adds a write that is executed after all others, for example because it locks what every transaction of its kind locks.
    package func addLast(_ write: any StoreWrite) { state.withLock { $0.lastWrites.append(write) } }

    /// The writes in the order in which they are executed.
    public var writes: [any StoreWrite] { state.withLock { $0.writes + $0.lastWrites } }

    /// Runs `action` after the commit; immediately if there is no current unit of work.
    public static func afterCommit(_ action: @escaping @Sendable () -> Void) {
        guard let current else { return action() }
        current.addAction(action)
    }

    /// Adds an action that runs after the commit.
    package func addAction(_ action: @escaping @Sendable () async -> Void) {
        state.withLock { $0.actions.append(action) }
    }

    /// Calls `body`, or returns its result if an earlier run of the same event has called it with the same arguments. For work that is
    /// expensive or that counts, such as the verification of a password. Without a current unit of work, always calls `body`.
    ///
    /// - Parameters:
    ///   - name: identifies the work.
    ///   - arguments: everything that the result depends on.
    ///   - body: does the work.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws. Errors are not stored.
    public static func once<Value: Sendable>(
        _ name: String,
        _ arguments: [String],
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard let current else { return try await body() }
        // In two steps: a missing result, cast to an optional type, would be a result.
        if let result = current.result(name, arguments), let value = result as? Value { return value }
        let value = try await body()
        current.state.withLock { $0.results.append(Result(name: name, arguments: arguments, value: value)) }
        return value
    }

    private func result(_ name: String, _ arguments: [String]) -> (any Sendable)? {
        state.withLock { state in
            state.results.first { $0.name == name && $0.arguments == arguments }?.value
        }
    }

    /// Forgets the writes and the actions, and if asked the results of ``once(_:_:_:)``, before the event runs again.
    package func restart(forgettingResults forgetsResults: Bool = false) {
        state.withLock { state in
            state.writes = []
            state.lastWrites = []
            state.actions = []
            if forgetsResults { state.results = [] }
        }
    }

    /// Runs the actions, and waits for each. Call it once, after the commit.
    package func finish() async {
        let actions = state.withLock { exchange(&$0.actions, with: []) }
        for action in actions { await action() }
    }
}
