/// Each bundled page is connected to its collaborators. The controllers' rules are tested in `BundledControllersTests`.
struct BundledPagesTests {
    /// Records the email addresses and accounts that it receives.
    actor Store: PersonSaving, AccountCreating {
        private(set) var saved: [String] = []

        func savedEmail(for client: ClientContext) -> String? { nil }

        func save(email: String, for client: ClientContext) -> Bool {
            saved.append(email)
            return true
        }

        func signUp(name: String, email: String, password: String, for client: ClientContext) -> UnconfirmedSignup? {
            saved.append(name)
            return nil
        }
    }

    let store = Store()

    @Test func `signup creates the account, and email saves the address`() async throws {
        let client = TestClient(pages: Page.bundled(accounts: store, personSaving: store))
        try await client.post("/signup", "name=Lisa&email=lisa%40rules.com&password=x")
        try await client.post("/email", "email=lisa%40rules.org")
        try await client.post("/email", "event=saveButtonPressed")
        #expect(await store.saved == ["Lisa", "lisa@rules.org"])
    }
}
