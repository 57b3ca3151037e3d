/// Why the tables of a database cannot be used.
public enum PostgreSQLDatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The schema contains tables of another program.
    case foreign(schema: String)
    /// The tables are in another schema than the first one of the `search_path`, in which other tables would replace them.
    case hidden(schema: String, by: String)
    /// A newer version of this program has changed the tables.
    case newer(version: Int, latest: Int)
    /// Another program has changed or removed a table.
    case changed(schema: String, table: String)
    /// The database has another encoding than UTF8, so that it cannot contain every text.
    case wrongEncoding(String)
    /// No schema in the `search_path` of the connections exists, or the database's user may not use it.
    case schemaMissing
    /// The database's user may not create tables in the first schema of its `search_path`, or may not change the tables there.
    case notPermitted

    public var description: String {
        switch self {
        case .foreign(let schema):
            """
            the schema '\(schema)' of the database contains tables of another program; create a database for this one, or name another \
            schema at the end of the URI: ?options=-csearch_path%3DNAME
            """
        case .hidden(let schema, let first):
            """
            the tables are in the schema '\(schema)' of the database, and '\(first)' comes first in the search_path; name the right one at the \
            end of the URI: ?options=-csearch_path%3DNAME
            """
        case .newer(let version, let latest):
            """
            the tables of the database have version \(version), and this program expects at most \(latest): a newer version has changed them; \
            run that version, or restore a backup from before
            """
        case .changed(let schema, let table):
            "another program has changed or removed the table '\(table)' in the schema '\(schema)' of the database; restore a backup"
        case .wrongEncoding(let encoding):
            """
            the database has the encoding \(encoding) instead of UTF8; create a new one: createdb --encoding=UTF8 --template=template0 NAME
            """
        case .schemaMissing:
            """
            no schema in the search_path of the database's user exists, or the user may not use it; run CREATE SCHEMA NAME \
            AUTHORIZATION USER
            """
        case .notPermitted:
            """
            the database's user may not create or change tables in the first schema of its search_path; run GRANT CREATE ON SCHEMA \
            NAME TO USER, or make the user the owner of the database and of the tables
            """
        }
    }
}
