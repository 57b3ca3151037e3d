import AccountsDatabase
import Accounts
import BundledControllers
import BusinessLogic
import Logging
import Testing
import UnderstudyTesting

@Suite(.fiveMinutes, .serialized)
struct AccountsPostgreSQLSamples {
    private let systemClock = ManualClock()

    @Test func `a database keeps accounts and products`() async throws {
        try await TestSchema.with { schema in
            try await keepAccountsAndProducts(schema.uri)
            try await withDatabase(schema.uri) { database in
                let lisa = try await database.account(email: AccountKey("lisa@rules.example"))
                #expect(lisa?.name == "Lisa")
                #expect(try await database.products.get().map(\.name) == ["Car"])
            }
        }
    }

    private func keepAccountsAndProducts(_ uri: String) async throws {
        var configuration = try PostgreSQLConfiguration(uri: uri)
        configuration.maximumConnections = 20
        let database = try await PostgreSQLDatabase.open(configuration, logger: Logger(label: "database"))
        let clock = DatabaseClock(database, machine: systemClock)
        try await clock.compare()
        let accounts = AccountService(database, hasher: PasswordHasher(), clock: clock)
        try await accounts.signUp(
            name: "Lisa",
            email: "lisa@rules.example",
            password: "eighteen long words",
            for: ClientContext()
        )
        try await database.addProducts([Product(name: "Car", description: "A beautiful car", image: "car")])
        await database.close(deadline: .now + .seconds(10))
    }
}
