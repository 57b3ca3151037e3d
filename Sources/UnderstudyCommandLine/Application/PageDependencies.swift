public import Accounts
// An embedder writes statements without a further import.
@_exported public import AccountsDatabase
import AccountsSQLite
public import BundledControllers
import BundledPages
public import BusinessLogic
public import Understudy

/// The collaborators of the pages' controllers. `serve` creates them according to the settings. Commands that start no server
/// use the defaults, which store nothing.
public struct PageDependencies: Sendable {
    /// Verifies usernames and passwords.
    public var credentials: any CredentialChecking = FixedCredentials.demo
    /// Stores the user IDs of logged-in users.
    public var userIDs: any UserIDSaving = NoAccounts()
    /// Decides which passwords are accepted.
    public var passwordPolicy: any PasswordPolicy = NoPasswordPolicy()
    /// Creates the accounts of users who sign up.
    public var accounts: any AccountCreating = NoAccounts()
    /// Stores the email addresses of users.
    public var personSaving: any PersonSaving = NoAccounts()
    /// Sends one-time codes by email, and reads and changes the accounts of users; `nil` if the server sends no mails.
    public var owner: (any AccountManaging)? = NoAccounts()
    /// Checks and changes the second factors and the passkeys of users.
    public var factors: any FactorManaging = NoAccounts()
    /// The mails of a demonstration; `nil` if the server gives them to a mail server.
    public var mailbox: (any Mailbox)?
    /// Sends mails of your pages to users; `nil` if the server sends none.
    public var mails: UserMails?
    /// The products.
    public var products: any Repository = ProductsRepository.demo
    /// The time of day.
    public var clock: any WallClock = SystemClock()
    /// Publishes what has changed. In an event of `serve --sessions database`, the commit of the event publishes a topic, on all servers.
    public var topics: any TopicPublisher = Topics()
    /// The tables of your pages; `nil` in commands that start no server.
    public var database: PageDatabase?

    /// Creates dependencies with which batman / bruce can log in, there are two products, and nothing is stored. You can also use them in tests.
    public init() {}
}

extension Page {
    /// The bundled pages with these dependencies.
    public static func bundled(_ dependencies: PageDependencies) -> [Page] {
        bundled(
            credentials: dependencies.credentials,
            userIDs: dependencies.userIDs,
            passwordPolicy: dependencies.passwordPolicy,
            accounts: dependencies.accounts,
            factors: dependencies.factors,
            repository: dependencies.products,
            personSaving: dependencies.personSaving,
            clock: dependencies.clock
        )
    }

    /// The pages with which users recover and change their accounts; none without ``PageDependencies/owner``.
    public static func accounts(_ dependencies: PageDependencies) -> [Page] {
        guard let owner = dependencies.owner else { return [] }
        return accounts(
            owner,
            credentials: dependencies.credentials,
            passwordPolicy: dependencies.passwordPolicy,
            clock: dependencies.clock
        ) + (dependencies.mailbox.map { [mailbox($0)] } ?? [])
    }

    /// The pages on which users complete logins with second factors, and change these.
    public static func factors(_ dependencies: PageDependencies) -> [Page] {
        factors(dependencies.factors, clock: dependencies.clock)
    }
}

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

extension PageDatabase {
    /// A database in memory: for tests.
    ///
    /// - Parameters:
    ///   - migrations: create the tables.
    ///   - topics: publishes the topics of writes.
    /// - Throws: an error that contains SQLite's message, if a migration is invalid.
    public static func inMemory(_ migrations: [SQLText], topics: any TopicPublisher = Topics()) throws -> PageDatabase {
        PageDatabase(try SQLiteDatabase.inMemory(pages: migrations), topics: topics)
    }
}
