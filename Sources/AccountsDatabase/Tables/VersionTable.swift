/// The SQL of a table with one row: the number of the migrations that have run.
package struct VersionTable: Sendable {
    /// The table of the migrations of this program.
    package static let own = VersionTable("understudy_version")
    /// The table of the migrations of an embedder.
    package static let pages = VersionTable("understudy_page_version")

    package let name: String
    package let create: SQLStatement
    package let select: SQLStatement
    package let delete: SQLStatement
    package let insert: SQLStatement

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
}
