/// Why a database cannot be copied to PostgreSQL. Then the target has not changed.
package enum CopyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The target contains rows.
    case notEmpty(table: String)
    /// The target has stored another row than the one that it got, or none.
    case different(table: String)
    /// The target contains fewer or more rows than were copied.
    case wrongCount(table: String, expected: Int, count: Int)

    package var description: String {
        switch self {
        case .notEmpty(let table):
            "the table '\(table)' has rows; copy to an empty database, so that nothing is overwritten"
        case .different(let table):
            """
            a row of the table '\(table)' differs from the one that was copied; see whether the database has triggers or rules that are not \
            Understudy's
            """
        case .wrongCount(let table, let expected, let count):
            "the table '\(table)' has \(count) rows instead of \(expected)"
        }
    }
}
