public import BusinessLogic

/// Says which passwords will do.
public protocol PasswordPolicy: Sendable {
    /// What there is to object to a password, as a message for a person; `nil` where it will do.
    ///
    /// - Parameters:
    ///   - password: the password as it was entered.
    ///   - name: what its owner is called, where that is known.
    ///   - email: their email address, where that is known.
    ///   - userID: their user ID, where that is known.
    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message?
}

/// Any password will do that is one.
public struct NonEmptyPasswordPolicy: PasswordPolicy {
    /// A policy that objects to nothing but the empty password.
    public init() {}

    public func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        password.isEmpty ? .passwordMissing : nil
    }
}

extension Message {
    /// There is no password.
    public static let passwordMissing = Message(code: "signup.passwordMissing", text: "A password is needed")
}

/// The articles' rule: any password will do. That there is one at all is the sign-up screen's first rule.
public struct NoPasswordPolicy: PasswordPolicy {
    /// A policy that objects to nothing.
    public init() {}

    public func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? { nil }
}
