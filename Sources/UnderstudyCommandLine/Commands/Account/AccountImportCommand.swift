import Accounts
import AccountsSQLite
import ArgumentParser
import BundledControllers
import BusinessLogic
import FoundationEssentials
import Understudy

/// `understudy account import`.
struct AccountImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the accounts of a JSON Lines file.",
        discussion: """
            Members: email is required; so is either password, or passwordHash with a hash of Argon2id, Argon2i, bcrypt, PBKDF2 or scrypt \
            ($argon2id$v=19$m=…,t=…,p=…$…). name, username, userID and \
            contactEmail are optional; so are note, roles (separated by spaces), factors, with the JSON object that 'account factors list --secrets' prints, \
            and emailConfirmed and disabled with true or false. The default of name and username is the email address. \
            With --from, the members are those of the other system, and a user without a password gets an account that no \
            password opens until another one is set. \(ImportOptions.help)
            """
    )

    @OptionGroup var options: ImportOptions

    @Option(help: "The other system that has written the file: keycloak, auth0, pocketbase or devise.")
    var from: ImportSource?

    @Flag(help: "Accept any password that is not empty.")
    var noPolicy = false

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup(title: "Passwords") var passwords: PasswordOptions

    func run() async throws {
        let settings = try storage.configuration.settings()
        let policy: any PasswordPolicy = noPolicy ? NonEmptyPasswordPolicy() : try passwords.policy(settings)
        let administration = try await storage.administration(settings, by: `operator`, passwords, creating: true)
        try await options.run(AccountImportTarget(administration: administration, policy: policy, source: from))
    }
}

/// Imports accounts into a database.
struct AccountImportTarget: ImportTarget {
    let administration: Administration
    let policy: any PasswordPolicy
    /// The system that has written the file; `nil` for a file with the members of Understudy.
    let source: ImportSource?

    var members: [String]? {
        let members = [
            "email", "name", "username", "userID", "contactEmail", "password", "passwordHash", "factors", "note",
            "roles", "emailConfirmed", "disabled",
        ]
        return source == nil ? members : nil
    }

    /// An account from a file; its hash is empty if there is a password, which is not hashed yet.
    typealias Item = (account: Account, password: String?)

    func item(_ record: Record) throws -> Item {
        let values = try source?.members(record.values) ?? record.values
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
            passwordHash: try hash(values),
            created: administration.clock.now,
            isDisabled: try Self.isTrue(values, "disabled"),
            emailConfirmed: try Self.isTrue(values, "emailConfirmed") ? administration.clock.now : nil
        )
        if let factors = values["factors"] { account.factors = try Self.factors(factors) }
        account.note = values["note"]
        account.roles = Role.sorted((values["roles"] ?? "").split(separator: " ").map(String.init))
        if let note = account.note { try AccountText.note.check(note) }
        try Role.check(account.roles)
        if let password = values["password"] { try AccountRules.check(password, for: account, policy) }
        return (account, values["password"])
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

    /// Returns the hash; an empty text if there is a password instead, or if the user of another system has none.
    private func hash(_ values: [String: String]) throws(CommandError) -> String {
        switch (values["password"], values["passwordHash"]) {
        case (nil, nil) where source != nil: return ""
        case (nil, nil): throw CommandError("password or passwordHash is required")
        case (.some, .some): throw CommandError("password and passwordHash exclude each other")
        case (.some, nil): return ""
        case (nil, let hash?):
            if Argon2id().canVerify(hash) { return hash }
            do throws(ImportedHashError) {
                _ = try ImportedHash(hash)
            } catch {
                throw CommandError("the passwordHash cannot be used: \(error)")
            }
            return hash
        }
    }

    func conflicts(among items: [(line: Int, item: Item)]) async throws -> [RejectedLine] {
        var rejected: [RejectedLine] = []
        var emails: Set<AccountKey> = []
        var usernames: Set<AccountKey> = []
        var userIDs: Set<String> = []
        for (line, item) in items {
            let account = item.account
            let email = AccountKey(account.email)
            let username = AccountKey(account.username)
            var conflict: AccountConflict?
            if let userID = account.userID, !userIDs.insert(userID).inserted { conflict = .userID }
            if !usernames.insert(username).inserted { conflict = .username }
            if !emails.insert(email).inserted { conflict = .email }
            if conflict == nil {
                conflict = try await administration.database.conflict(email, username, account.userID)
            }
            if let conflict { rejected.append(RejectedLine(line: line, reason: conflict.description)) }
        }
        return rejected
    }

    func save(_ items: [Item]) async throws {
        var accounts = items.map(\.account)
        let service = administration.service
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var running = 0
            for (index, item) in items.enumerated() {
                guard let password = item.password else { continue }
                // One more than there are threads, so that no thread waits for the next password.
                if running > service.workers, let (index, hash) = try await group.next() {
                    accounts[index].passwordHash = hash
                    running -= 1
                }
                group.addTask { (index, try await service.hash(password)) }
                running += 1
            }
            for try await (index, hash) in group { accounts[index].passwordHash = hash }
        }
        do {
            try await administration.change { [accounts] in try await $0.add(accounts) }
        } catch let conflict as AccountConflict {
            throw CommandError("\(conflict)")
        }
    }
}
