/// The tables and their migrations.
enum Schema {
    /// All migrations, in order. Never change a published migration. Add a new one instead.
    static let migrations = [
        text(PackageResources.migration_1_sql), text(PackageResources.migration_2_sql), "NULL;",
        text(PackageResources.migration_4_sql), text(PackageResources.migration_5_sql),
        text(PackageResources.migration_6_sql), text(PackageResources.migration_7_sql),
        text(PackageResources.migration_8_sql), text(PackageResources.migration_9_sql),
        text(PackageResources.migration_10_sql), text(PackageResources.migration_11_sql), "NULL;",
    ]

    private static func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }

    /// The version of the tables after all migrations.
    static let version = migrations.count

    /// The migration after which the keys of accounts are stored again, because earlier versions computed other keys.
    static let keysVersion = 12
}
