/// Why a call to PostgreSQL has failed.
///
/// A description never contains a password or a parameter, so it may be logged.
public enum PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no connection to the server, or it was lost before anything can have been committed.
    case unavailable(reason: String)
    /// The server has rejected a connection, with an SQLSTATE of five letters and digits: for example `28P01` for a wrong password, `3D000` for
    /// a database that does not exist, and `57P03` while the server starts. Only the first connection of a program that starts fails with it.
    case connectionRejected(sqlState: String, reason: String)
    /// The deadline has passed before anything can have been committed.
    case deadlineExceeded
    /// Too many callers wait for a connection.
    case queueFull
    /// The server has rejected a statement. Nothing has been committed.
    case server(PostgreSQLServerError)
    /// The changes may have been committed, because the connection was lost or closed after the commit was sent.
    ///
    /// Before you repeat the call, check whether its changes are in the database.
    case outcomeUnknown(reason: String)

    public var description: String {
        switch self {
        case .unavailable(let reason): "PostgreSQL is unavailable: \(reason)"
        case .connectionRejected(_, let reason): "PostgreSQL rejects the connection: \(reason)"
        case .deadlineExceeded: "PostgreSQL has not responded before the deadline; nothing was committed"
        case .queueFull: "too many calls wait for a connection to PostgreSQL"
        case .server(let error): error.description
        case .outcomeUnknown(let reason): "it is unknown whether PostgreSQL has committed the changes: \(reason)"
        }
    }

    /// Whether the same call may succeed later, although nothing but the server's state changes.
    ///
    /// A wrong user or password, a database that does not exist and a permission that lacks are not temporary.
    package var isTemporary: Bool {
        switch self {
        case .unavailable, .deadlineExceeded, .queueFull, .outcomeUnknown: true
        case .connectionRejected(let sqlState, _): !["28", "3D", "42"].contains(sqlState.prefix(2))
        // Connections, conflicts, resources, an operator who stops the server, and a standby that has not been promoted.
        case .server(let error): ["08", "40", "53", "57"].contains(error.sqlState.prefix(2)) || error.isReadOnlyServer
        }
    }

    static var poolIsClosed: PostgreSQLError { .unavailable(reason: "the pool is closed") }
}

extension String {
    /// Why a connection cannot be used any more.
    static func lossReason(_ error: any Error) -> String {
        switch error {
        case PostgreSQLError.unavailable(let reason), PostgreSQLError.connectionRejected(_, let reason): reason
        case PostgreSQLError.deadlineExceeded: "the deadline has passed"
        case is CancellationError: "the call was cancelled"
        default: "\(error)"
        }
    }
}
