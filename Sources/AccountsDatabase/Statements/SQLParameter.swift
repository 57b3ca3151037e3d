public import Accounts
public import BusinessLogic

/// A type of the parameters of statements.
///
/// An optional value is null for `nil`.
public protocol SQLParameter {
    /// What the database receives.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLParameter {
    public var sqlValue: SQLValue { self }
}

extension Bool: SQLParameter {
    public var sqlValue: SQLValue { .boolean(self) }
}

extension Int: SQLParameter {
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLParameter {
    public var sqlValue: SQLValue { .integer(self) }
}

extension String: SQLParameter {
    public var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLParameter {
    public var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLParameter where Wrapped: SQLParameter {
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

/// In milliseconds: a `timestamptz` of PostgreSQL has a smaller range.
extension Timestamp: SQLParameter {
    public var sqlValue: SQLValue { .integer(milliseconds) }
}

extension AccountID: SQLParameter {
    public var sqlValue: SQLValue { .text(text) }
}

extension AccountKey: SQLParameter {
    public var sqlValue: SQLValue { .text(text) }
}

extension DeviceKey: SQLParameter {
    public var sqlValue: SQLValue { .bytes(bytes) }
}

extension ThrottleKey: SQLParameter {
    public var sqlValue: SQLValue { .text(text) }
}
