import Accounts
import ArgumentParser
import BusinessLogic
import Glibc
import Understudy

/// `understudy account add`.
struct AccountAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an account.",
        discussion: "\(Help.password) \(Help.exit)"
    )

    @Option(help: "The email address.")
    var email: String

    @Option(help: "What the owner is called.")
    var name: String

    @Option(help: "What the owner logs in with. (default: the email address)")
    var username: String?

    @Option(help: "The user ID: twelve digits.")
    var userID: String?

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions
    @OptionGroup(title: "Passwords") var passwords: PasswordOptions

    func run() async throws {
        if let objection = AccountRules.objection(email: email, name: name, username: username, userID: userID) {
            throw CommandError(objection)
        }
        let settings = try await storage.configuration.settings()
        let policy = try passwords.policy(settings)
        // Nobody is asked for a password if the account cannot be added, and without one nothing is made.
        if access(try storage.databaseFile(settings).path, F_OK) == 0 {
            let office = try AdminContext(storage, audit, passwords, settings)
            let conflict = try await office.database.conflict(AccountKey(email), AccountKey(username ?? email), userID)
            if let conflict { throw conflict }
        }
        let password = try PasswordPrompt.read()
        let office = try AdminContext(storage, audit, passwords, settings, creating: true)
        let objection = AccountRules.objection(to: password, policy, name: name, email: email, userID: userID)
        if let objection { throw CommandError(objection) }
        let account = Account(
            name: name,
            email: email,
            username: username,
            userID: userID,
            passwordHash: try await office.service.hash(password),
            created: office.clock.now
        )
        try await office.service.add([account])
        Terminal.print("Added the account '\(account.username.printable)'.")
    }
}
