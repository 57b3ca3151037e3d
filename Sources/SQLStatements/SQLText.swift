/// SQL for PostgreSQL and for SQLite, written once with PostgreSQL's parameters `$1`, `$2`, ….
///
/// PostgreSQL's type `text` cannot contain NUL, and GRDB cuts a text at its first NUL when it binds or reads the text. Therefore a text
/// that a client can choose is stored as `bytea` in PostgreSQL, and crosses to SQLite as a blob. Mark such parameters and columns with
/// `\(text: …)`.
public struct SQLText: ExpressibleByStringInterpolation, Sendable {
    package let postgreSQL: String
    package let sqlite: String

    /// SQL that the databases write differently.
    public init(postgreSQL: String, sqlite: String) {
        self.postgreSQL = postgreSQL
        self.sqlite = sqlite
    }

    /// A parameter by its number.
    package static func parameter(_ number: Int, isText: Bool) -> SQLText {
        SQLText(postgreSQL: "$\(number)", sqlite: isText ? "CAST(?\(number) AS TEXT)" : "?\(number)")
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

        /// Parts of a statement, separated by commas.
        package mutating func appendInterpolation(_ parts: [SQLText]) {
            postgreSQL += parts.map(\.postgreSQL).joined(separator: ", ")
            sqlite += parts.map(\.sqlite).joined(separator: ", ")
        }

        /// SQL that is the same in both databases, without parameters.
        package mutating func appendInterpolation(verbatim sql: String) {
            appendInterpolation(postgreSQL: sql, sqlite: sql)
        }

        /// A number in the SQL.
        package mutating func appendInterpolation(number: Int) {
            appendInterpolation(verbatim: "\(number)")
        }

        /// What the databases write differently.
        public mutating func appendInterpolation(postgreSQL: String, sqlite: String = "") {
            self.postgreSQL += postgreSQL
            self.sqlite += sqlite
        }

        /// Parameters that are texts, by their numbers.
        public mutating func appendInterpolation(text parameters: Int...) {
            appendInterpolation(parameters.map { SQLText.parameter($0, isText: true) })
        }

        /// Columns that are texts, to read them.
        public mutating func appendInterpolation(text columns: String...) {
            postgreSQL += columns.joined(separator: ", ")
            sqlite += columns.map { "CAST(\($0) AS BLOB)" }.joined(separator: ", ")
        }

        /// The condition that a column has one of the values that a query returns.
        package mutating func appendInterpolation(_ column: String, in query: SQLText) {
            postgreSQL += "\(column) = ANY (ARRAY(\(query.postgreSQL)))"
            sqlite += "\(column) IN (\(query.sqlite))"
        }
    }
}
