package import BusinessLogic

/// A topic that a process has published in a database.
package struct Publication: Equatable, Sendable {
    /// A random number, by which the process that has published the topic recognises it.
    package let token: Int64
    package let topic: Topic
}

/// What has been published in a database since a position.
package struct Publications: Equatable, Sendable {
    /// The position from which the next call continues.
    package let position: Position
    package let publications: [Publication]
    /// Whether these are all publications. Otherwise, some that have not been read may have been deleted, or there are too many.
    package let isComplete: Bool

    /// The maximum number of publications that one call returns.
    package static let limit = 10_000

    /// How far a process has read the publications of a database.
    package struct Position: Equatable, Sendable {
        /// The transactions that the process has read, in a form that depends on the database.
        package let transactions: String
        /// Identifies the server that has numbered the transactions.
        package let server: String
        /// The number of the newest publication. The newest one is never deleted; a migration has inserted the first.
        package let number: Int

        package init(transactions: String, server: String = "", number: Int) {
            self.transactions = transactions
            self.server = server
            self.number = number
        }

        /// Whether no publication after this position can have been deleted.
        ///
        /// - Parameter oldest: the number of the oldest publication; `nil` if the table is empty.
        package func precedes(oldest: Int?) -> Bool { oldest.map { $0 <= number || $0 == number + 1 } ?? true }
    }

    package init(position: Position, publications: [Publication], isComplete: Bool) {
        self.position = position
        self.publications = publications
        self.isComplete = isComplete
    }
}
