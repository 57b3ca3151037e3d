package import SQLStatements

/// The SQL of the table `understudy_page_schema`, which has one row: the number of an embedder's migrations that have run.
package enum PageSchemaTable {
    package static let create = SQLStatement(
        "create page schema",
        "CREATE TABLE IF NOT EXISTS understudy_page_schema (version bigint NOT NULL)"
    )

    package static let version = SQLStatement("page schema version", "SELECT version FROM understudy_page_schema")

    package static let delete = SQLStatement("delete page schema version", "DELETE FROM understudy_page_schema")

    package static let insert = SQLStatement(
        "set page schema version",
        "INSERT INTO understudy_page_schema VALUES ($1)"
    )
}
