internal import Synchronization

/// A statement for PostgreSQL and SQLite.
///
/// Declare each statement as a `static let`: databases prepare every instance separately on each connection, and PostgreSQL's pool has a
/// metric for each.
package final class SQLStatement: Sendable {
    /// The name in `pg_stat_activity`, in metrics and in errors.
    package let name: String
    /// Whether the statement changes nothing, so that it may be repeated if its outcome is unknown.
    package let isReadOnly: Bool
    /// The SQL. For PostgreSQL, it begins with a comment that contains the name.
    package let text: SQLText

    /// The position of the statement's data in arrays, from 0.
    package let number: Int
    /// The name that the statement has on a server.
    package let preparedName: String

    private static let count = Atomic(0)

    /// - Parameters:
    ///   - name: one or more letters, digits, spaces, `-`, `_` and `.`.
    ///   - isReadOnly: whether the statement changes nothing.
    ///   - text: one statement.
    package init(_ name: String, isReadOnly: Bool = false, _ text: SQLText) {
        precondition(
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " -_.".contains($0)) },
            "'\(name)' is not a valid name of a statement: use letters, digits, spaces, '-', '_' and '.'"
        )
        self.name = name
        self.isReadOnly = isReadOnly
        self.text = SQLText(postgreSQL: "/* understudy \(name) */ \(text.postgreSQL)", sqlite: text.sqlite)
        number = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        preparedName = "understudy_\(number)"
    }

    /// A statement that only PostgreSQL executes. In SQLite, it does nothing and returns no rows.
    package convenience init(_ name: String, isReadOnly: Bool = false, postgreSQL: String) {
        self.init(name, isReadOnly: isReadOnly, SQLText(postgreSQL: postgreSQL, sqlite: ""))
    }

    /// Returns the statement with parameters.
    package func callAsFunction(_ parameters: SQLValue...) -> SQLStep { SQLStep(self, parameters) }
}

/// A statement and its parameters.
package struct SQLStep: Sendable {
    package let statement: SQLStatement
    package let parameters: [SQLValue]

    /// - Parameter parameters: one value for each of `$1`, `$2`, ….
    package init(_ statement: SQLStatement, _ parameters: [SQLValue] = []) {
        self.statement = statement
        self.parameters = parameters
    }
}
