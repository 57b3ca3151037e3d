import Accounts
import BundledControllers
import BusinessLogic

/// The rules for accounts that operators add: the same as for sign-up.
enum AccountRules {
    /// Checks the parts of an account.
    ///
    /// - Throws: an ``AccountRejection``, which describes what is wrong.
    static func check(
        email: String?,
        name: String? = nil,
        username: String? = nil,
        userID: String? = nil
    ) throws {
        if let name { try AccountText.name.check(name) }
        if let email { try AccountText.email.check(email) }
        if let username { try AccountText.username.check(username) }
        if let email, !EmailValidator().isValid(email: email) {
            throw CommandError("'\(email)' is not an email address")
        }
        if name?.isEmpty == true { throw CommandError("the name is empty") }
        if let userID, !UserIDValidator().isValid(userID: userID) {
            throw CommandError("the user ID must have exactly twelve digits")
        }
    }

    /// Checks a password.
    ///
    /// - Throws: an ``AccountRejection``, which describes what is wrong.
    static func check(_ password: String, for account: Account, _ policy: any PasswordPolicy) throws {
        guard !password.isEmpty else { throw CommandError("the password is empty") }
        try AccountText.password.check(password)
        let objection = policy.objection(
            to: password,
            name: account.name,
            username: account.username,
            email: account.email,
            userID: account.userID
        )
        guard let message = objection else { return }
        throw CommandError(message.text.prefix(1).lowercased() + message.text.dropFirst())
    }
}

/// A reason why a change of an account is not possible, as a sentence for the operator.
protocol AccountRejection: Error {}
extension AccountConflict: AccountRejection {}
extension AccountTextError: AccountRejection {}
extension RoleError: AccountRejection {}
extension CommandError: AccountRejection {}
