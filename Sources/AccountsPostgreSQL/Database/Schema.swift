internal import AccountsDatabase

/// The tables and their migrations.
enum Schema {
    /// All migrations, in order. From 0.1.0 on, never change one: add a new one instead.
    static let migrations = [PackageResources.migration_1_sql].map {
        SQLText(postgreSQL: String(decoding: $0, as: UTF8.self), sqlite: "")
    }
}
