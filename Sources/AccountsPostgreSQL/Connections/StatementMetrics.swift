import CoreMetrics
import AccountsDatabase

/// The metrics that the thread of a connection records.
struct StatementMetrics {
    private let factory: any MetricsFactory
    /// The timers of statements, by their number, because creating one looks it up by its label and dimensions.
    private var timers: [Int: Timer] = [:]

    init(factory: any MetricsFactory) {
        self.factory = factory
    }

    /// Records how long the server took for a statement, including the network.
    mutating func record(_ statement: SQLStatement, _ duration: Duration) {
        let timer =
            timers[statement.number]
            ?? Timer(
                label: "understudy_database_statement_duration_seconds",
                dimensions: [("statement", statement.name)],
                factory: factory
            )
        timers[statement.number] = timer
        let (seconds, attoseconds) = duration.components
        timer.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    func count(_ error: any Error) {
        let kind = (error as? PostgreSQLError)?.kind ?? (error is SQLValueError ? "value" : "cancelled")
        Counter(label: "understudy_database_errors_total", dimensions: [("kind", kind)], factory: factory).increment()
    }
}

extension PostgreSQLError {
    /// The kind of the error in metrics.
    var kind: String {
        switch self {
        case .unavailable, .connectionRejected: "unavailable"
        case .deadlineExceeded: "deadline"
        case .queueFull: "queue_full"
        case .server(let error): error.isTransactionConflict ? "conflict" : "server"
        case .outcomeUnknown: "outcome_unknown"
        }
    }
}
