/// Why a connection cannot be used any more.
enum Loss: Error, CustomStringConvertible {
    /// The connection was lost, or libpq has no memory.
    case lost(reason: String)
    /// The deadline of the call has passed.
    case late
    /// The task of the call was cancelled.
    case cancelled
    /// The pool was closed.
    case closed

    var description: String {
        switch self {
        case .lost(let reason): reason
        case .late: "the deadline has passed"
        case .cancelled: "the call was cancelled"
        case .closed: "the pool was closed"
        }
    }

    /// The error of a call that cannot have committed anything.
    var error: any Error {
        switch self {
        case .lost(let reason): PostgreSQLError.unavailable(reason: reason)
        case .late: PostgreSQLError.deadlineExceeded
        case .cancelled: CancellationError()
        case .closed: PostgreSQLError.poolIsClosed
        }
    }
}

extension PostgreSQLError {
    static var poolIsClosed: PostgreSQLError { .unavailable(reason: "the pool is closed") }
}
