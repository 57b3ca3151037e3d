/// SQL for PostgreSQL and for SQLite, written once with PostgreSQL's parameters `$1`, `$2`, ….
public struct SQLText: ExpressibleByStringInterpolation, Sendable {
    package let postgreSQL: String
    package let sqlite: String

    /// SQL that the databases write differently.
    public init(postgreSQL: String, sqlite: String) {
        self.postgreSQL = postgreSQL
        self.sqlite = sqlite
    }

    /// SQL that is the same in both databases, except for the parameters.
    public init(stringLiteral value: String) {
        self.init(stringInterpolation: StringInterpolation(value))
    }

    /// SQL with parts that the databases write differently.
    public init(stringInterpolation: StringInterpolation) {
        self.init(postgreSQL: stringInterpolation.postgreSQL, sqlite: stringInterpolation.sqlite)
    }

    /// The parts of an SQL text.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var postgreSQL = ""
        fileprivate var sqlite = ""

        /// Creates an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        fileprivate init(_ literal: String) {
            appendLiteral(literal)
        }

        /// Adds SQL that is the same in both databases, except for the parameters.
        public mutating func appendLiteral(_ literal: String) {
            postgreSQL += literal
            sqlite += literal.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "?")
        }

        /// A part of a statement.
        public mutating func appendInterpolation(_ part: SQLText) {
            appendInterpolation(postgreSQL: part.postgreSQL, sqlite: part.sqlite)
        }

        /// SQL that is the same in both databases, without parameters: a text or a number.
        package mutating func appendInterpolation(verbatim sql: some CustomStringConvertible) {
            appendInterpolation(postgreSQL: sql.description, sqlite: sql.description)
        }

        /// What the databases write differently.
        public mutating func appendInterpolation(postgreSQL: String, sqlite: String = "") {
            self.postgreSQL += postgreSQL
            self.sqlite += sqlite
        }

        /// The condition that a column has one of the values that a query returns.
        package mutating func appendInterpolation(_ column: String, in query: SQLText) {
            postgreSQL += "\(column) = ANY (ARRAY(\(query.postgreSQL)))"
            sqlite += "\(column) IN (\(query.sqlite))"
        }
    }
}
