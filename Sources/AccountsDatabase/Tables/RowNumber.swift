/// The numbers of rows that the database gives in their order: of revocations, publications, mails and records of the audit log.
enum RowNumber {
    /// The largest number that counts. A larger one is damaged: it would hide all later rows, and SQLite itself finds no number after it.
    static let maximum = 1 << 52

    /// The column `number` in the list of an `INSERT`, before other columns. PostgreSQL fills it by itself.
    static let column = SQLText(postgreSQL: "", sqlite: "number, ")

    /// The value of ``column`` for the next row of a table, before other values.
    static func next(of table: String) -> SQLText {
        SQLText(
            postgreSQL: "",
            sqlite: """
                1 + max(
                    coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '\(table)' AND seq < \(maximum)), 0),
                    coalesce((SELECT max(number) FROM \(table) WHERE number < \(maximum)), 0),
                    0
                ),\(" ")
                """
        )
    }
}
