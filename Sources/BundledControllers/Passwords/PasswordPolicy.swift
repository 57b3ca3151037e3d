public import BusinessLogic

/// The rules for new passwords.
public protocol PasswordPolicy: Sendable {
    /// The message for a user whose password breaks a rule; `nil` if the password is acceptable.
    ///
    /// - Parameters:
    ///   - password: the password, as the user typed it.
    ///   - name: the user's name, if it is known.
    ///   - email: the user's email address, if it is known.
    ///   - userID: the user's user ID, if it is known.
    func objection(to password: String, name: String?, email: String?, userID: String?) -> Message?

    /// The messages that ``objection(to:name:email:userID:)`` may return, for translators; none by default.
    var messages: [Message] { get }
}

extension PasswordPolicy {
    public var messages: [Message] { [] }

    /// The message for a user whose password breaks a rule, if the account has a username that may differ from the email address.
    package func objection(
        to password: String,
        name: String?,
        username: String?,
        email: String?,
        userID: String?
    ) -> Message? {
        // Each name once: a policy may be a collaborator, whose next result can be another one.
        for name in username == nil || username == email ? [name] : [name, username] {
            if let objection = objection(to: password, name: name, email: email, userID: userID) { return objection }
        }
        return nil
    }
}

/// A policy that accepts every password except the empty one.
public struct NonEmptyPasswordPolicy: PasswordPolicy {
    /// A policy that accepts every password except the empty one.
    public init() {}

    public func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? {
        password.isEmpty ? .passwordMissing : nil
    }

    public var messages: [Message] { [.passwordMissing] }
}

extension Message {
    /// The password is empty.
    public static let passwordMissing = Message(
        code: "signup.passwordMissing",
        text: "A password is needed",
        field: "password"
    )
}

/// The policy of the articles, which accepts every password. The sign-up screen itself rejects an empty one.
public struct NoPasswordPolicy: PasswordPolicy {
    /// A policy that accepts every password.
    public init() {}

    public func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? { nil }
}
