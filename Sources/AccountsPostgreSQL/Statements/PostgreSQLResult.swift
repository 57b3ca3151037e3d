internal import CPostgreSQL

/// The rows that a statement has returned.
package final class PostgreSQLResult: RandomAccessCollection, Sendable {
    // Unsafe only for the compiler: nothing changes a PGresult that PQgetResult has returned until `deinit` frees it.
    nonisolated(unsafe) let pointer: OpaquePointer
    /// The number of columns.
    package let columnCount: Int
    package let startIndex = 0
    /// The number of rows.
    package let endIndex: Int

    /// - Parameter pointer: a complete `PGresult`, which this frees.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        columnCount = Int(PQnfields(pointer))
        endIndex = Int(PQntuples(pointer))
    }

    deinit {
        PQclear(pointer)
    }

    /// The row at a position, from 0.
    package subscript(position: Int) -> PostgreSQLRow {
        precondition(position >= 0 && position < endIndex, "the result has \(endIndex) rows, and no row \(position)")
        return PostgreSQLRow(result: self, number: Int32(position))
    }

    /// What the server calls the executed command, for example `COMMIT`.
    var command: String {
        String(cString: PQcmdStatus(pointer))
    }
}
