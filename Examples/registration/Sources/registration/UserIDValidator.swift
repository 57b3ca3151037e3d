/// Decides whether a user ID is valid.
protocol UserIDValidating: Sendable {
    func isValid(_ userID: String) -> Bool
}

/// A user ID has exactly twelve digits.
struct UserIDValidator: UserIDValidating {
    func isValid(_ userID: String) -> Bool {
        userID.count == 12 && userID.allSatisfy { $0.isASCII && $0.isNumber }
    }
}
