import Accounts
import AccountsSQLite
import ArgumentParser
import BundledControllers
import BusinessLogic
import Understudy

/// `understudy account import`.
struct AccountImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the accounts of a CSV or JSON Lines file.",
        discussion: """
            Of each account the file has: email; password, or passwordHash with an Argon2id hash \
            ($argon2id$v=19$m=…,t=…,p=1$…, which CSV wants in quotes since it has commas); and if it likes name, username, userID, contactEmail. Who has no name is called \
            by the email address. \(ImportOptions.help)
            """
    )

    @OptionGroup var options: ImportOptions

    @Flag(help: "Take any password that is not empty.")
    var noPolicy = false

    @OptionGroup(title: "Storage") var storage: StorageOptions
    @OptionGroup(title: "Storage") var audit: AuditOptions
    @OptionGroup(title: "Passwords") var passwords: PasswordOptions

    func run() async throws {
        _ = try options.recordFormat()
        let settings = try await storage.configuration.settings()
        let policy: any PasswordPolicy = noPolicy ? NonEmptyPasswordPolicy() : try passwords.policy(settings)
        let office = try AdminContext(storage, audit, passwords, settings, creating: true)
        try await options.run(AccountImportTarget(office: office, policy: policy))
    }
}

/// An account whose password may have to be hashed yet.
struct ImportedAccount {
    /// The account; its hash is empty where there is a password.
    var account: Account
    let password: String?
}

/// The accounts of a database.
struct AccountImportTarget: ImportTarget {
    let office: AdminContext
    let policy: any PasswordPolicy
    let columns = ["email", "name", "username", "userID", "contactEmail", "password", "passwordHash"]

    func item(_ record: Record) throws(CommandError) -> ImportedAccount {
        let values = record.values
        guard let email = values["email"] else { throw CommandError("there is no email address") }
        let name = values["name"] ?? email
        let objection = AccountRules.objection(
            email: email,
            name: name,
            username: values["username"],
            userID: values["userID"]
        )
        if let objection { throw CommandError(objection) }
        if let contact = values["contactEmail"], !EmailValidator().isValid(email: contact) {
            throw CommandError("'\(contact)' is not an email address")
        }
        let account = Account(
            name: name,
            email: email,
            username: values["username"],
            userID: values["userID"],
            contactEmail: values["contactEmail"],
            passwordHash: try hash(values),
            created: office.clock.now
        )
        if let password = values["password"] {
            let objection = AccountRules.objection(
                to: password,
                policy,
                name: name,
                email: email,
                userID: account.userID
            )
            if let objection { throw CommandError(objection) }
        }
        return ImportedAccount(account: account, password: values["password"])
    }

    /// The hash; empty where there is a password instead.
    private func hash(_ values: [String: String]) throws(CommandError) -> String {
        switch (values["password"], values["passwordHash"]) {
        case (nil, nil): throw CommandError("there is neither a password nor a passwordHash")
        case (.some, .some): throw CommandError("there are both a password and a passwordHash")
        case (.some, nil): return ""
        case (nil, let hash?):
            guard Argon2id().canVerify(hash) else { throw CommandError("the passwordHash cannot be verified") }
            return hash
        }
    }

    func conflicts(among items: [Numbered<ImportedAccount>]) async throws -> [RefusedLine] {
        var refused: [RefusedLine] = []
        var emails: Set<AccountKey> = []
        var usernames: Set<AccountKey> = []
        var userIDs: Set<String> = []
        for numbered in items {
            let account = numbered.item.account
            let email = AccountKey(account.email)
            let username = AccountKey(account.username)
            var conflict: AccountConflict?
            if let userID = account.userID, !userIDs.insert(userID).inserted { conflict = .userID }
            if !usernames.insert(username).inserted { conflict = .username }
            if !emails.insert(email).inserted { conflict = .email }
            if conflict == nil {
                conflict = try await office.database.conflict(email, username, account.userID)
            }
            if let conflict { refused.append(RefusedLine(line: numbered.line, reason: conflict.description)) }
        }
        return refused
    }

    func save(_ items: [ImportedAccount]) async throws {
        var accounts = items.map(\.account)
        let service = office.service
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var running = 0
            for (index, item) in items.enumerated() {
                guard let password = item.password else { continue }
                // As many at once as can be, and one more so that none of the threads has to wait.
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
            try await service.add(accounts)
        } catch let conflict as AccountConflict {
            throw CommandError("\(conflict)")
        }
    }
}
