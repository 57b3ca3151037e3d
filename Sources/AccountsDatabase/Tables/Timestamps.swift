package import BusinessLogic

extension SQLValue {
    /// A time in milliseconds. A `timestamptz` of PostgreSQL has a smaller range.
    package static func time(_ time: Timestamp) -> SQLValue { .integer(time.milliseconds) }

    /// A time in milliseconds, or null.
    package static func time(_ time: Timestamp?) -> SQLValue { time.map { .time($0) } ?? .null }
}

extension SQLRow {
    /// A time in milliseconds.
    package func time(_ column: Int) throws -> Timestamp { Timestamp(milliseconds: try integer(column)) }

    /// A time in milliseconds, or `nil` for null.
    package func optionalTime(_ column: Int) throws -> Timestamp? {
        try optionalInteger(column).map { Timestamp(milliseconds: $0) }
    }
}
