/// Why a database cannot be copied to PostgreSQL. Then the target has not changed.
package enum CopyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The target contains rows.
    case notEmpty(table: String)
    /// The rows that were read from the target are not those of the source.
    case different(table: String, expectedCount: Int, count: Int)

    package var description: String {
        switch self {
        case .notEmpty(let table):
            "the table '\(table)' has rows; copy to an empty database, so that nothing is overwritten"
        case .different(let table, let expectedCount, let count) where expectedCount == count:
            "the rows of the table '\(table)' differ from those that were copied"
        case .different(let table, let expectedCount, let count):
            "the table '\(table)' has \(count) rows instead of \(expectedCount)"
        }
    }
}
