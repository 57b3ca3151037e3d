import Accounts
import ArgumentParser
import BundledControllers
import BusinessLogic
import FoundationEssentials

struct AccountImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account import")

    @OptionGroup var options: ImportOptions

    @OptionGroup var change: OperatorOptions
    @OptionGroup(title: "Passwords") var passwords: PasswordOptions

    func run() async throws {
        let settings = try change.storage.settings()
        let administration = try await change.administration(settings, hashing: passwords, creating: true)
        let new = NewAccounts(administration: administration, policy: try passwords.policy(settings))
        try await options.run(members: NewAccounts.members, item: new.account) { accounts in
            try await administration.change { try await $0.add(accounts) }
        }
    }
}

/// Makes accounts of the values that operators give.
struct NewAccounts {
    let administration: Administration
    let policy: any PasswordPolicy

    static let members = [
        "email", "name", "username", "userID", "contactEmail", "password", "passwordHash", "factors", "note", "roles",
        "emailConfirmed", "disabled",
    ]

    /// Makes an account of its members, with the rules for sign-up.
    func account(_ values: [String: String]) async throws -> Account {
        guard let email = values["email"] else { throw CommandError("the email address is missing") }
        let name = values["name"] ?? email
        try AccountRules.check(email: email, name: name, username: values["username"], userID: values["userID"])
        if let contact = values["contactEmail"], !EmailValidator().isValid(email: contact) {
            throw CommandError("'\(contact)' is not an email address")
        }
        var account = Account(
            name: name,
            email: email,
            username: values["username"],
            userID: values["userID"],
            contactEmail: values["contactEmail"],
            passwordHash: try Self.hash(values),
            created: administration.clock.now,
            isDisabled: try Self.isTrue(values, "disabled"),
            emailConfirmed: try Self.isTrue(values, "emailConfirmed") ? administration.clock.now : nil
        )
        if let factors = values["factors"] { account.factors = try Self.factors(factors) }
        account.note = values["note"]
        account.roles = Role.sorted((values["roles"] ?? "").split(separator: " ").map(String.init))
        if let password = values["password"] {
            try AccountRules.check(password, for: account, policy)
            account.passwordHash = try await administration.service.hash(password)
        }
        return account
    }

    private static func isTrue(_ values: [String: String], _ name: String) throws(CommandError) -> Bool {
        switch values[name] {
        case nil, "false"?: return false
        case "true"?: return true
        case let value?: throw CommandError("\(name) must be true or false, not '\(value)'")
        }
    }

    private static func factors(_ json: String) throws(CommandError) -> Factors {
        guard let factors = try? JSONDecoder().decode(Factors.self, from: Data(json.utf8)), factors.areUsable else {
            throw CommandError("the factors are not an object that 'account factors list --secrets' has printed")
        }
        return factors
    }

    /// Returns the hash; an empty text if there is a password instead, or neither.
    private static func hash(_ values: [String: String]) throws(CommandError) -> String {
        guard let hash = values["passwordHash"] else { return "" }
        if values["password"] != nil { throw CommandError("password and passwordHash exclude each other") }
        do throws(SettingError) { _ = try PasswordHash(hash) } catch {
            throw CommandError("the passwordHash cannot be used: \(error)")
        }
        return hash
    }
}

struct AccountAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account add")

    @Option(help: "The email address.")
    var email: String

    @Option(help: "The owner's name.")
    var name: String

    @Option(help: "The name for logging in. (default: the email address)")
    var username: String?

    @Option(help: "The user ID: twelve digits.")
    var userID: String?

    @OptionGroup var change: OperatorOptions
    @OptionGroup(title: "Passwords") var passwords: PasswordOptions

    func run() async throws {
        try AccountRules.check(email: email, name: name, username: username, userID: userID)
        let settings = try change.storage.settings()
        let policy = try passwords.policy(settings)
        let password = try PasswordPrompt.read()
        let administration = try await change.administration(settings, hashing: passwords, creating: true)
        let values = ["email": email, "name": name, "username": username, "userID": userID, "password": password]
        let account = try await NewAccounts(administration: administration, policy: policy)
            .account(values.compactMapValues(\.self))
        try await administration.change { try await $0.add([account]) }
        Terminal.print("Added the account '\(account.username.printable)'.")
    }
}

struct AccountSetPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account set-password")

    @OptionGroup var target: AccountArgument
    @OptionGroup(title: "Passwords") var passwords: PasswordOptions

    func run() async throws {
        let policy = try passwords.policy(target.change.storage.settings())
        let (administration, account) = try await target.find(passwords)
        let password = try PasswordPrompt.read()
        try AccountRules.check(password, for: account, policy)
        let isChanged = try await administration.change { try await $0.setPassword(password, of: account.id) }
        guard isChanged else { throw CommandError.unknownAccount(target.username) }
        Terminal.print("Changed the password of the account '\(account.username.printable)'.")
    }
}

struct AccountDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("account delete")

    @OptionGroup var target: AccountArgument

    @OptionGroup var confirmation: Confirmation

    func run() async throws {
        let (administration, account) = try await target.find()
        let name = account.username.printable
        try confirmation.ask("Delete the account '\(name)' permanently?", refusal: "The account is not deleted.")
        let isDeleted = try await administration.change { try await $0.delete(account.id) }
        guard isDeleted else { throw CommandError.unknownAccount(target.username) }
        Terminal.print("Deleted the account '\(name)'.")
    }
}
