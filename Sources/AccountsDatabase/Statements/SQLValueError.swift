import BusinessLogic

/// A parameter cannot be sent, or a row does not contain what its reader expects. Contains no value of the database, so it may be logged.
package struct SQLValueError: Error, Equatable, CustomStringConvertible {
    package let description: String

    /// The error for a column, from 0.
    package init(column: Int, _ reason: String) {
        description = "cannot read column \(column) of a row: \(reason)"
    }

    /// The error for a parameter, from 1.
    package init(parameter: Int, of statement: String, _ reason: String) {
        description = "cannot send parameter \(parameter) of the statement '\(statement)': \(reason)"
    }
}

extension [SQLValue] {
    /// PostgreSQL's limit for the bytes of a value.
    private static var maximumSize: Int { 1 << 30 }

    /// Throws if one of the values cannot be a parameter.
    package func check(for statement: @autoclosure () -> String) throws(SQLValueError) {
        for (index, value) in enumerated() {
            let (size, containsNUL) =
                switch value {
                case .bytes(let bytes): (bytes.count, false)
                case .text(let text): (text.utf8.count, text.containsNUL)
                case .null, .integer, .boolean: (0, false)
                }
            guard size >= Self.maximumSize || containsNUL else { continue }
            throw SQLValueError(
                parameter: index + 1,
                of: statement(),
                size >= Self.maximumSize ? "it has 1 GiB or more" : "its text contains U+0000"
            )
        }
    }
}
