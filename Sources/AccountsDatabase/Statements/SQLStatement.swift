import Synchronization

/// A statement for PostgreSQL and SQLite.
///
/// Declare each statement as a `static let`: databases prepare every instance separately on each connection, and PostgreSQL's pool has a
/// metric for each.
public final class SQLStatement: Sendable {
    /// The name in `pg_stat_activity`, in metrics and in errors.
    public let name: String
    /// Whether the statement is a `SELECT`, which commits no changes.
    package let isQuery: Bool
    /// The SQL. For PostgreSQL, it begins with a comment that contains the name.
    public let text: SQLText

    /// Identifies the statement in the data of a connection.
    package let number: Int
    /// The name that the statement has on a server.
    package let preparedName: String

    private static let count = Atomic(0)

    /// Declares a statement. Traps if the name is invalid.
    ///
    /// - Parameters:
    ///   - name: one or more letters, digits, spaces, `-`, `_` and `.`.
    ///   - text: one statement.
    public init(_ name: String, _ text: SQLText) {
        precondition(
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " -_.".contains($0)) },
            "'\(name)' is not a valid name of a statement: use letters, digits, spaces, '-', '_' and '.'"
        )
        self.name = name
        isQuery = text.postgreSQL.utf8.starts(with: "SELECT".utf8)
        self.text = SQLText(postgreSQL: "/* understudy \(name) */ \(text.postgreSQL)", sqlite: text.sqlite)
        number = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        preparedName = "understudy_\(number)"
    }

    /// A statement that only PostgreSQL executes. In SQLite, it does nothing and returns no rows.
    public convenience init(_ name: String, postgreSQL: String) {
        self.init(name, SQLText(postgreSQL: postgreSQL, sqlite: ""))
    }

    /// Returns the statement with parameters.
    public func callAsFunction(_ parameters: any SQLParameter...) -> SQLStep {
        SQLStep(self, parameters.map(\.sqlValue))
    }
}

/// A statement and its parameters.
public struct SQLStep: Sendable {
    package let statement: SQLStatement
    package let parameters: [SQLValue]
    /// Whether the transaction fails if the statement returns no row.
    package private(set) var requiresRow = false

    /// Creates a statement with parameters.
    ///
    /// - Parameters:
    ///   - statement: the statement.
    ///   - parameters: one value for each of `$1`, `$2`, ….
    public init(_ statement: SQLStatement, _ parameters: [SQLValue] = []) {
        self.statement = statement
        self.parameters = parameters
    }

    /// The same step, which makes its transaction fail if it returns no row.
    public func requiringRow() -> SQLStep {
        var step = self
        step.requiresRow = true
        return step
    }
}
