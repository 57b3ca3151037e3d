import Accounts
import AccountsSQLite
import BundledControllers
import BundledPages
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Suite struct AccountsSamples {
    private let clock = ManualClock()

    @Test func `a user who has signed up can log in`() async throws {
        let database = try SQLiteDatabase.inMemory()
        let accounts = AccountService(
            database,
            hasher: PasswordHasher(),
            clock: clock
        )
        try await accounts.signUp(
            name: "Lisa",
            email: "lisa@rules.example",
            password: "eighteen long words",
            for: ClientContext()
        )
        let user = try await accounts.authenticate(
            username: "lisa@rules.example",
            password: "eighteen long words",
            for: ClientContext()
        )
        #expect(user?.username == "lisa@rules.example")
        let pages = Page.bundled(credentials: accounts, accounts: accounts, factors: accounts) + Page.factors(accounts)
        #expect(pages.map(\.name).suffix(2) == ["secondFactor", "factors"])
    }
}
