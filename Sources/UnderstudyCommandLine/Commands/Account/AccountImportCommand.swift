import Accounts
import ArgumentParser
import BundledControllers

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
