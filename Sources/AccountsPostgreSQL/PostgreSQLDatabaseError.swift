/// Why the tables of a database cannot be used.
public enum PostgreSQLDatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The schema contains tables of another program.
    case foreign(schema: String)
    /// A newer version of this program has migrated the tables.
    case newer(version: Int)
    /// No schema in the `search_path` of the connections exists.
    case schemaMissing

    public var description: String {
        switch self {
        case .foreign(let schema):
            """
            the schema '\(schema)' of the database contains tables of another program; create a database for this one, or name another \
            schema at the end of the URI: ?options=-csearch_path%3DNAME
            """
        case .newer(let version):
            "the tables of the database have version \(version): a newer version of this program has changed them"
        case .schemaMissing: "no schema in the search_path of the database's user exists; create it with CREATE SCHEMA"
        }
    }
}
