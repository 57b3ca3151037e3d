import Accounts
import BundledControllers
import BusinessLogic

/// The rules for accounts that operators add: the same as for sign-up.
enum AccountRules {
    /// Checks the parts of an account.
    ///
    /// - Throws: ``CommandError``, which describes what is wrong.
    static func check(
        email: String?,
        name: String? = nil,
        username: String? = nil,
        userID: String? = nil
    ) throws(CommandError) {
        do {
            try AccountLimits.check(name: name ?? "", email: email ?? "", username: username)
        } catch {
            throw CommandError(error.description)
        }
        if let email, !EmailValidator().isValid(email: email) {
            throw CommandError("'\(email)' is not an email address")
        }
        if name?.isEmpty == true { throw CommandError("the name is empty") }
        if username?.isEmpty == true { throw CommandError("the username is empty") }
        if let userID, !UserIDValidator().isValid(userID: userID) {
            throw CommandError("the user ID must have exactly twelve digits")
        }
    }

    /// Runs a change, whose conflict with another account is one line of error.
    static func describingConflicts<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let conflict as AccountConflict {
            throw CommandError("\(conflict)")
        }
    }

    /// Checks a password.
    ///
    /// - Throws: ``CommandError``, which describes what is wrong, if the policy rejects it.
    static func check(
        password: String,
        _ policy: any PasswordPolicy,
        name: String?,
        username: String?,
        email: String?,
        userID: String?
    ) throws(CommandError) {
        guard !password.isEmpty else { throw CommandError("the password is empty") }
        do {
            try AccountLimits.check(password: password)
        } catch {
            throw CommandError(error.description)
        }
        let objection = policy.objection(to: password, name: name, username: username, email: email, userID: userID)
        guard let message = objection else { return }
        throw CommandError(message.text.prefix(1).lowercased() + message.text.dropFirst())
    }
}
