import Accounts
import BundledControllers
import BusinessLogic

/// The rules for accounts that operators add: the same as for sign-up.
enum AccountRules {
    /// Returns what is wrong with the parts of an account; `nil` if they are valid.
    static func objection(email: String, name: String, username: String?, userID: String?) -> String? {
        do {
            try AccountLimits.check(name: name, email: email, username: username)
        } catch {
            return error.description
        }
        if !EmailValidator().isValid(email: email) { return "'\(email)' is not an email address" }
        if name.isEmpty { return "the name is empty" }
        if username?.isEmpty == true { return "the username is empty" }
        if let userID, !UserIDValidator().isValid(userID: userID) {
            return "the user ID must have exactly twelve digits"
        }
        return nil
    }

    /// Returns what is wrong with a password; `nil` if the policy accepts it.
    static func objection(
        to password: String,
        _ policy: any PasswordPolicy,
        name: String?,
        email: String?,
        userID: String?
    ) -> String? {
        guard !password.isEmpty else { return "the password is empty" }
        do {
            try AccountLimits.check(password: password)
        } catch {
            return error.description
        }
        guard let message = policy.objection(to: password, name: name, email: email, userID: userID) else { return nil }
        return message.text.prefix(1).lowercased() + message.text.dropFirst()
    }
}
