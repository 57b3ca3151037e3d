internal import Synchronization

/// An SQL statement that is prepared once per connection.
///
/// Declare each statement as a `static let`: every instance is prepared separately on each connection, and has a metric of its own.
package final class PostgreSQLStatement: Sendable {
    /// The name in `pg_stat_activity`, in metrics and in errors.
    package let name: String
    /// The SQL, which begins with a comment that contains the name.
    package let sql: String
    /// Whether the statement changes nothing, so that it may be repeated if its outcome is unknown.
    package let isReadOnly: Bool

    /// The position of the statement's data in arrays, from 0.
    let number: Int
    /// The name that the statement has on the server.
    let preparedName: String

    private static let count = Atomic(0)

    /// - Parameters:
    ///   - name: one or more letters, digits, spaces, `-`, `_` and `.`.
    ///   - sql: one statement, with parameters `$1`, `$2`, ….
    ///   - isReadOnly: whether the statement changes nothing. Then a call whose connection is lost throws
    ///     ``PostgreSQLError/unavailable(reason:)`` instead of ``PostgreSQLError/outcomeUnknown(reason:)``.
    package init(name: String, isReadOnly: Bool = false, sql: String) {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy(Self.isValid),
            "'\(name)' is not a valid name of a statement: use letters, digits, spaces, '-', '_' and '.'"
        )
        self.name = name
        self.sql = "/* understudy \(name) */ \(sql)"
        self.isReadOnly = isReadOnly
        number = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        preparedName = "understudy_\(number)"
    }

    /// Returns the statement with parameters, as a step of a batch.
    package func callAsFunction(_ parameters: PostgreSQLValue...) -> PostgreSQLStep {
        PostgreSQLStep(self, parameters)
    }

    private static func isValid(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
