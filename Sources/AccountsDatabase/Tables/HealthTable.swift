import Accounts

/// The SQL of the table `health`, which only probes write. It is empty outside of their transactions.
enum HealthTable {
    /// What a probe executes in one transaction: writes and deletes a row with `size` bytes, besides a key, and looks whether the other
    /// tables can be used. The bytes are random, so that PostgreSQL does not compress them.
    static func probe(size: Int) -> [SQLStep] {
        // A row of its own, so that probes of several servers do not wait for each other.
        let key = randomBytes(16)
        return [forget(), check(), insert(key, randomBytes(size)), delete(key)]
    }

    /// Throws ``MissingRight`` if the second statement of a probe has returned a right.
    static func requireRights(_ row: SQLRow?) throws {
        if let row { throw MissingRight(name: try row.text(0), table: try row.text(1)) }
    }

    /// What a connection of SQLite has in its memory proves nothing about the file.
    private static let forget = SQLStatement(
        "forget pages",
        SQLText(postgreSQL: "SELECT 1", sqlite: "PRAGMA shrink_memory")
    )
    private static let insert = SQLStatement("insert health", "INSERT INTO health (key, content) VALUES ($1, $2)")
    private static let delete = SQLStatement("delete health", "DELETE FROM health WHERE key = $1")

    /// The tables whose rows a server changes.
    private static let updated: Set = [
        "account", "session_revocation", "throttle", "device", "session", "replaced_session", "ended_session", "mail",
    ]
    /// The tables of which a server deletes no row.
    private static let kept: Set = ["address_key", "session_revocation", "product", "audit_record"]

    /// Returns the rights that the database's user lacks, and fails if a table is missing. Takes no locks. SQLite has no rights: there, it reads
    /// the first row of each table, and fails if that is damaged.
    private static let check: SQLStatement = {
        let tables = TableDescription.all.map(\.name) + ["publication"]
        let rights = tables.flatMap { table in
            let needed = ["SELECT", "INSERT"] + (updated.contains(table) ? ["UPDATE"] : [])
            return (kept.contains(table) ? needed : needed + ["DELETE"]).map { "('\($0)', '\(table)')" }
        }
        let firstRows = tables.map { "(SELECT 1 FROM \($0) NOT INDEXED LIMIT 1) > 1" }
        return SQLStatement(
            "check tables",
            SQLText(
                postgreSQL: """
                    SELECT name, "table"
                    FROM (
                        VALUES \(rights.joined(separator: ", ")),
                        ('SELECT', 'session_revocation_counter'), ('UPDATE', 'session_revocation_counter')
                    ) AS needed (name, "table")
                    WHERE NOT has_table_privilege("table", name) LIMIT 1
                    """,
                sqlite: "SELECT '', '' WHERE \(firstRows.joined(separator: " OR "))"
            )
        )
    }()
}

/// The database's user lacks a right that a server needs.
struct MissingRight: Error, CustomStringConvertible {
    let name: String
    let table: String

    var description: String {
        "the database's user may not \(name) the table '\(table)'; run GRANT \(name) ON \(table) TO USER"
    }
}
