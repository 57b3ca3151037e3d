extension SQLText {
    static let greatest: SQLText = "\(postgreSQL: "greatest", sqlite: "max")"

    static let least: SQLText = "\(postgreSQL: "least", sqlite: "min")"

    /// Ends a query of rows that the transaction changes: it leaves out those that another one changes at the moment. SQLite has one writer.
    static let skippingLocked: SQLText = "\(postgreSQL: " FOR UPDATE SKIP LOCKED")"
}
