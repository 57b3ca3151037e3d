internal import Accounts
package import BusinessLogic

/// The SQL of the table `publication`. Each database reads it in its own way.
package enum PublicationTable {
    /// Publishes a topic with the commit.
    ///
    /// - Parameter token: identifies the publication.
    package static func insert(_ topic: Topic, token: Int64 = .random(in: .min ... .max)) -> SQLStep {
        insertStatement(token, topic.name, topic.key)
    }

    /// The publication in the columns from `column` on.
    package static func publication(_ row: SQLRow, from column: Int) throws -> Publication {
        Publication(
            token: try row.integer(column),
            topic: Topic(try row.text(column + 1), key: try row.text(column + 2))
        )
    }

    /// The columns of a publication.
    package static let columns: SQLText = "token, name, key"

    /// The condition that a number is not damaged, in which case the publication is ignored: otherwise, it would hide all later ones.
    package static let isValid: SQLText = "number BETWEEN 1 AND \(number: RowNumber.maximum)"

    private static let insertStatement = SQLStatement(
        "publish topic",
        """
        INSERT INTO publication (\(RowNumber.column)token, name, key) VALUES (\(RowNumber.next(of: "publication"))$1, $2, $3)
        """
    )

    /// Deletes the publications before a number. That one stays, so that a process finds out whether one that it has not read was deleted.
    static let delete = SQLStatement("delete publications", "DELETE FROM publication WHERE number < $1")
}
