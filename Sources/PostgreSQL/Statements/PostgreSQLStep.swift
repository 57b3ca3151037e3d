/// A statement and its parameters.
package struct PostgreSQLStep: Sendable {
    package let statement: PostgreSQLStatement
    package let parameters: [PostgreSQLValue]

    /// - Parameter parameters: one value for each of `$1`, `$2`, ….
    package init(_ statement: PostgreSQLStatement, _ parameters: [PostgreSQLValue] = []) {
        self.statement = statement
        self.parameters = parameters
    }

    /// Throws ``PostgreSQLError/unsendableParameter(number:statement:)`` if a parameter cannot be sent.
    func check() throws(PostgreSQLError) {
        for (index, parameter) in parameters.enumerated() where !parameter.isSendable {
            throw .unsendableParameter(number: index + 1, statement: statement.name)
        }
    }
}

extension PostgreSQLValue {
    /// PostgreSQL's limit for the bytes of a value.
    private static var maximumSize: Int { 1 << 30 }

    /// Whether the value can be sent: a text has no NUL character, and nothing is too large.
    fileprivate var isSendable: Bool {
        switch self {
        case .text(let text): text.utf8.count < Self.maximumSize && !text.utf8.contains(0)
        case .bytes(let bytes): bytes.count < Self.maximumSize
        case .timestamp(let microseconds): !microseconds.subtractingReportingOverflow(ParameterBuffer.epoch).overflow
        case .null, .integer, .double, .boolean: true
        }
    }
}
