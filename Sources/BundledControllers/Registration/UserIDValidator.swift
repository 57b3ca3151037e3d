import BusinessLogic

/// Decides which user IDs are valid.
public protocol UserIDValidating: Sendable {
    /// Whether the text is a valid user ID. `nil` is invalid.
    func isValid(userID: String?) -> Bool
}

/// A user ID is exactly twelve ASCII digits (article "Rehoming View Controller Responsibilities").
public struct UserIDValidator: UserIDValidating {
    /// Creates a validator.
    public init() {}

    public func isValid(userID: String?) -> Bool {
        guard var userID else { return false }
        return userID.withUTF8 { $0.count == 12 && $0.allSatisfy(\.isASCIIDigit) }
    }
}
