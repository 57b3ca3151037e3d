import Accounts
import BundledControllers
import BusinessLogic

extension PageDependencies {
    /// For commands that need all messages of the pages: accepts every password, and declares the messages of all policies that `serve` may
    /// use.
    static var withAllPasswordMessages: PageDependencies {
        var dependencies = PageDependencies()
        dependencies.passwordPolicy = AllPasswordMessages()
        return dependencies
    }

    private struct AllPasswordMessages: PasswordPolicy {
        func objection(to password: String, name: String?, email: String?, userID: String?) -> Message? { nil }

        var messages: [Message] { NonEmptyPasswordPolicy().messages + ServicePasswordPolicy().messages }
    }
}
