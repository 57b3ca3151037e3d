/// A statement for PostgreSQL and SQLite.
///
/// Declare each statement as a `static let`, because databases prepare each instance once.
package final class SQLStatement: Sendable {
    /// The name in PostgreSQL's statistics, in metrics and in errors.
    package let name: String
    /// Whether the statement changes nothing, so that it may be repeated if its outcome is unknown.
    package let isReadOnly: Bool
    package let text: SQLText

    package init(_ name: String, isReadOnly: Bool = false, _ text: SQLText) {
        self.name = name
        self.isReadOnly = isReadOnly
        self.text = text
    }

    /// A statement that only PostgreSQL executes. In SQLite, it does nothing and returns no rows.
    package init(_ name: String, isReadOnly: Bool = false, postgreSQL: String) {
        self.name = name
        self.isReadOnly = isReadOnly
        text = SQLText(postgreSQL: postgreSQL, sqlite: "")
    }

    /// Returns the statement with parameters.
    package func callAsFunction(_ parameters: SQLValue...) -> SQLStep { SQLStep(self, parameters) }
}

/// A statement and its parameters.
package struct SQLStep: Sendable {
    package let statement: SQLStatement
    package let parameters: [SQLValue]

    /// - Parameter parameters: one value for each of `$1`, `$2`, ….
    package init(_ statement: SQLStatement, _ parameters: [SQLValue]) {
        self.statement = statement
        self.parameters = parameters
    }
}
