internal import Accounts
internal import AccountsDatabase
internal import Synchronization

/// A transaction that writes, and whose outcome can be found out if the connection is lost during the commit.
final class WriteTransaction: SQLConnection {
    private let transaction: PostgreSQLTransaction
    /// PostgreSQL's ID of the transaction, and when the server started; `nil` before the first statement. After a restart or on a standby that
    /// has been promoted, the same ID can be that of another transaction.
    private var id: (transaction: String, serverStart: String)?

    private init(_ transaction: PostgreSQLTransaction) {
        self.transaction = transaction
    }

    /// Executes statements in one round trip.
    ///
    /// - Throws: `AccountConflict` if an account has a value that must be unique.
    func batch(_ steps: [SQLStep]) throws -> [[SQLRow]] {
        if steps.isEmpty { return [] }
        do {
            // The first round trip also asks for the ID.
            let results = try transaction.batch(id == nil ? [Self.currentID()] + steps : steps)
            guard id == nil else { return results }
            id = (try results[0][0].text(0), try results[0][0].text(1))
            return Array(results.dropFirst())
        } catch let error as PostgreSQLError {
            throw AccountConflict(error) ?? error
        }
    }

    /// Calls `body` with a transaction, and commits it. If the connection is lost during the commit, asks the server whether the
    /// transaction is committed.
    ///
    /// - Throws: `PostgreSQLError.outcomeUnknown` if the server does not respond to this either; otherwise, nothing is committed.
    static func run<Value: Sendable>(
        _ pool: PostgreSQLPool,
        deadline: ContinuousClock.Instant?,
        key: String? = nil,
        _ body: @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        let finished = Mutex<(value: Value, id: (transaction: String, serverStart: String)?)?>(nil)
        do {
            return try await pool.transaction(deadline: deadline, key: key) { transaction in
                let write = WriteTransaction(transaction)
                let value = try body(write)
                finished.withLock { $0 = (value, write.id) }
                return value
            }
        } catch let error as PostgreSQLError {
            let finished = finished.withLock { $0 }
            guard case .outcomeUnknown(let reason) = error, let finished, let id = finished.id else { throw error }
            guard let isCommitted = await isCommitted(id, pool) else { throw error }
            guard isCommitted else { throw PostgreSQLError.unavailable(reason: reason) }
            return finished.value
        }
    }

    /// Whether a transaction is committed; `nil` if the server does not respond within about five seconds, or has been restarted or
    /// replaced.
    private static func isCommitted(
        _ id: (transaction: String, serverStart: String),
        _ pool: PostgreSQLPool
    ) async -> Bool? {
        let deadline = ContinuousClock.now + .seconds(5)
        while let rows = try? await pool.execute(
            status(id.transaction, id.serverStart),
            deadline: deadline
        ) {
            switch try? rows[0].optionalText(0) {
            case "committed": return true
            case "aborted": return false
            case "in progress": break
            // The server has recovered to a state before the transaction, or long after it.
            default: return nil
            }
            // The server has not noticed yet that the connection is lost.
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return nil }
        }
        return nil
    }

    private static let currentID = SQLStatement(
        "transaction id",
        postgreSQL: "SELECT pg_current_xact_id()::text, pg_postmaster_start_time()::text"
    )

    private static let status = SQLStatement(
        "transaction status",
        isReadOnly: true,
        postgreSQL: """
            SELECT CASE WHEN pg_postmaster_start_time()::text = $2::text THEN pg_xact_status($1::text::xid8) END
            """
    )
}

extension AccountConflict {
    /// The conflict because of which the server has rejected an account; `nil` for another error.
    init?(_ error: PostgreSQLError) {
        guard case .server(let error) = error, error.sqlState == "23505" else { return nil }
        switch error.constraint {
        case "account_pkey", "account_email": self = .email
        case "account_name": self = .username
        case "account_user_id": self = .userID
        case "passkey_pkey": self = .passkey
        default: return nil
        }
    }
}
