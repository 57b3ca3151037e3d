/// The state of the tables of a database.
package enum SchemaStatus: Equatable, Sendable {
    /// There are no tables yet.
    case empty
    /// The tables have an older version, from 1 to that of this program, not included.
    case outdated(version: Int)
    /// The tables are those of this program.
    case current
    /// The tables cannot be used.
    case unusable(PostgreSQLDatabaseError)

    /// The number of the migrations that have run.
    ///
    /// - Throws: ``PostgreSQLDatabaseError`` if the tables cannot be used.
    package func version() throws(PostgreSQLDatabaseError) -> Int {
        switch self {
        case .empty: return 0
        case .outdated(let version): return version
        case .current: return Schema.version
        case .unusable(let error): throw error
        }
    }
}
