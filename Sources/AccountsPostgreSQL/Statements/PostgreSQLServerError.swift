import CPostgreSQL

/// An error that the server has reported for a statement.
public struct PostgreSQLServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The SQLSTATE: five letters and digits, for example `23505` for a unique violation.
    public let sqlState: String
    /// The server's message, which may contain parameters. ``description`` contains it only if it cannot.
    public let message: String
    /// The constraint that the statement has violated.
    public let constraint: String?
    /// The name of the statement that has failed.
    public let statement: String

    /// Whether the server ends the connection.
    let isFatal: Bool

    /// Whether the transaction may succeed if it is repeated from its beginning: serialization failures and deadlocks.
    public var isTransactionConflict: Bool { sqlState == "40001" || sqlState == "40P01" }

    public var description: String {
        var description = "PostgreSQL has rejected the statement '\(statement)' with SQLSTATE \(sqlState)"
        if let constraint { description += ", constraint '\(constraint)'" }
        // The messages of other classes may quote parameters.
        if ["08", "23", "25", "26", "28", "40", "53", "55", "57", "58", "XX"].contains(sqlState.prefix(2)) {
            description += ": \(message)"
        }
        return description
    }

    /// - Parameter result: a `PGresult` that the server has sent. `nil` is returned for one that libpq has made for a lost connection.
    init?(_ result: OpaquePointer, statement: String) {
        func field(_ letter: Character) -> String? {
            guard let code = letter.asciiValue, let text = PQresultErrorField(result, Int32(code)) else { return nil }
            return String(cString: text)
        }
        guard let sqlState = field("C") else { return nil }
        self.sqlState = sqlState
        message = field("M") ?? ""
        constraint = field("n")
        self.statement = statement
        isFatal = ["FATAL", "PANIC"].contains(field("V") ?? "")
    }
}
