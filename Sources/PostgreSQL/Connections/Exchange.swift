internal import SQLStatements

/// Statements that one caller sends together, with one synchronisation point at their end.
///
/// Outside a transaction, the server executes them as one transaction of their own, and commits it at the synchronisation point.
final class Exchange {
    /// Identifies the exchange in a cancellation.
    let number: Int
    let steps: [SQLStep]
    let deadline: ContinuousClock.Instant
    /// The transaction to which the statements belong; `nil` if they are one of their own.
    let transaction: OpenTransaction?
    /// What the end of the exchange does to its transaction.
    let kind: Kind
    /// Whether the first failed attempt to connect fails the exchange.
    let failsFast: Bool

    /// The results of the completed steps.
    var results: [PostgreSQLResult] = []
    /// The first error.
    var failure: PostgreSQLError?
    /// Whether the server may have received the synchronisation point.
    var isSent = false
    private var resume: ((Result<[PostgreSQLResult], any Error>) -> Void)?

    enum Kind {
        /// The statements are a transaction, which the end commits.
        case transaction
        /// The transaction goes on.
        case part
        /// The last statement commits the transaction.
        case commit
        /// The last statement rolls the transaction back.
        case rollback
    }

    /// - Parameter resume: is called once, with the results or the first error; `nil` if no caller waits.
    init(
        number: Int,
        steps: [SQLStep],
        deadline: ContinuousClock.Instant,
        kind: Kind = .transaction,
        transaction: OpenTransaction? = nil,
        failsFast: Bool = false,
        resume: ((Result<[PostgreSQLResult], any Error>) -> Void)? = nil
    ) {
        self.number = number
        self.steps = steps
        self.deadline = deadline
        self.kind = kind
        self.transaction = transaction
        self.failsFast = failsFast
        self.resume = resume
    }

    /// Whether the caller has received its results or an error.
    var isFinished = false

    /// Whether the end of the exchange commits changes.
    var commits: Bool {
        switch kind {
        case .transaction: !steps.allSatisfy(\.statement.isReadOnly)
        case .commit: true
        case .part, .rollback: false
        }
    }

    /// The error for a connection that is lost or closed now: the outcome is unknown if the server may have committed.
    func lossError(_ reason: String, otherwise error: any Error) -> any Error {
        if let failure { return failure }
        return isSent && commits ? PostgreSQLError.outcomeUnknown(reason: reason) : error
    }

    /// Resumes the caller with the results or the first error.
    func finish() {
        if failure == nil, results.count != steps.count {
            let reason = "received \(results.count) results instead of \(steps.count)"
            failure = commits ? .outcomeUnknown(reason: reason) : .unavailable(reason: reason)
        }
        finish(failure.map { .failure($0) } ?? .success(results))
    }

    /// Resumes the caller, unless it has been resumed before.
    func finish(_ result: Result<[PostgreSQLResult], any Error>) {
        guard !isFinished else { return }
        isFinished = true
        resume.take()?(result)
    }
}

/// A transaction of several exchanges, as the client's thread stores it.
final class OpenTransaction {
    let deadline: ContinuousClock.Instant
    /// Transactions with the same key run one at a time; `nil` if the transaction waits for no other.
    let key: String?
    /// The connection that executes the transaction; `nil` before its first statement, and after the connection is lost.
    var connection: Connection?
    /// Why the transaction cannot be committed.
    var failure: PostgreSQLError?
    /// Whether a statement is waiting or being executed.
    var isBusy = false

    init(deadline: ContinuousClock.Instant, key: String?) {
        self.deadline = deadline
        self.key = key
    }
}
