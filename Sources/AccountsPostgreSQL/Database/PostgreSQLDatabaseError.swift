public import Accounts

/// Why the tables of a database cannot be used.
public enum PostgreSQLDatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The schema contains tables of another program.
    case foreign(schema: String)
    /// A newer version of this program has migrated the tables.
    case newer(version: Int)
    /// No schema in the `search_path` of the connections exists, or the database's user may not use it.
    case schemaMissing
    /// The database's user may not create tables in the first schema of its `search_path`, or may not change the tables there.
    case notPermitted
    /// A migration has changed nothing, because the name or the email address of an account is now the same as that of another one.
    case sameName(account: AccountID)

    public var description: String {
        switch self {
        case .foreign(let schema):
            """
            the schema '\(schema)' of the database contains tables of another program; create a database for this one, or name another \
            schema at the end of the URI: ?options=-csearch_path%3DNAME
            """
        case .newer(let version):
            "the tables of the database have version \(version): a newer version of this program has changed them"
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
        case .sameName(let account):
            """
            the name or the email address of the account \(account) differs from that of another one only by compatibility characters; change \
            one of them with psql, or delete the account with the earlier version of this program
            """
        }
    }
}
