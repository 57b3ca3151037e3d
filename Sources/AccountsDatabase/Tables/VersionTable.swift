/// The SQL of a table with one row: the number of the migrations that have run.
package struct VersionTable: Sendable {
    /// The table of the migrations of this program.
    package static let own = VersionTable("understudy_version")
    /// The table of the migrations of an embedder.
    package static let pages = VersionTable("understudy_page_version")

    package let name: String
    private let create: SQLStatement
    package let select: SQLStatement
    private let delete: SQLStatement
    private let insert: SQLStatement

    private init(_ name: String) {
        self.name = name
        create = SQLStatement(
            "create \(name)",
            "CREATE TABLE IF NOT EXISTS \(verbatim: name) (version bigint NOT NULL)"
        )
        select = SQLStatement("select \(name)", "SELECT version FROM \(verbatim: name)")
        delete = SQLStatement("delete \(name)", "DELETE FROM \(verbatim: name)")
        insert = SQLStatement("insert \(name)", "INSERT INTO \(verbatim: name) VALUES ($1)")
    }

    /// Creates the table if it is missing, and runs those of all migrations that are missing, in the transaction of a connection. `newer`
    /// makes the error if more have run.
    package func migrate(
        _ migrations: [SQLText],
        on connection: some SQLConnection,
        newer: (_ version: Int) -> any Error,
        run: (SQLText) throws -> Void
    ) throws {
        let version = try connection.batch([create(), select()])[1].first?.number(0) ?? 0
        guard version <= migrations.count else { throw newer(version) }
        guard version < migrations.count else { return }
        for migration in migrations[max(0, version)...] { try run(migration) }
        try connection.batch([delete(), insert(migrations.count)])
    }
}
