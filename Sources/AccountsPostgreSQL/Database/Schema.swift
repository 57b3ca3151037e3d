/// The tables and their migrations.
enum Schema {
    /// All migrations, in order. Never change a published migration. Add a new one instead.
    static let migrations =
        [PackageResources.migration_1_sql, PackageResources.migration_2_sql].map { String(decoding: $0, as: UTF8.self) }
        + ["NULL;"]

    /// The version of the tables after all migrations.
    static let version = migrations.count

    /// The migration after which the keys of accounts are stored again, because earlier versions computed other keys.
    static let keysVersion = 3
}
