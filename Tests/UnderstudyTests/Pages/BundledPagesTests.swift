import BundledControllers
import BundledPages
import BusinessLogic
import HTTPMessages
import Testing
import TestSupport
import UnderstudyTesting

@testable import Understudy

/// Each bundled page is connected to its controller and collaborators. The controllers' rules are tested in `BundledControllersTests`.
@Suite struct BundledPagesTests {
    /// Records the email addresses and accounts that it receives.
    private actor Store: PersonSaving, AccountCreating {
        private(set) var saved: [String] = []

        func savedEmail(for client: ClientContext) -> String? { nil }

        func save(email: String, for client: ClientContext) -> Bool {
            saved.append(email)
            return true
        }

        func createAccount(name: String, email: String, password: String, for client: ClientContext) {
            saved.append(name)
        }
    }

    private let store = Store()

    @Test func `login checks the credentials and renders a message or leads to Home`() async throws {
        let client = TestClient(
            UnderstudyService(pages: Page.bundled(credentials: FixedCredentials(["batman": "bruce"])))
        )
        try expect(
            await client.post("/login", form: "username=batman&password=joker"),
            is: #"""
                {"sequence":1,"ok":false,"commands":[
                  {"sequence":1,"page":"login","command":"render","key":"message",
                   "value":"Wrong username or password","code":"login.wrongCredentials"}],
                 "errors":[{"code":"login.wrongCredentials","message":"Wrong username or password"}]}
                """#
        )
        try expect(
            await client.post("/login", #"{"password":"bruce"}"#),
            is: #"""
                {"sequence":2,"ok":true,"commands":[
                  {"sequence":2,"page":"login","command":"goToPage","name":"Home","href":"/home"}]}
                """#
        )
    }

    @Test func `login uses the configured limit and clock`() async throws {
        let clock = ManualClock()
        let limit = LoginAttempts.Limit(failures: 1, interval: .seconds(10))
        let client = TestClient(UnderstudyService(pages: Page.bundled(clock: clock, loginLimit: limit)))
        func code() async throws -> Value? {
            try await client.post("/login", form: "username=a&password=b")["commands"]?.array?.first?.object?["code"]
        }
        #expect(try await code() == "login.wrongCredentials")
        #expect(try await code() == "login.tooManyAttempts")
        clock.advance(by: .seconds(10))
        #expect(try await code() == "login.wrongCredentials")
    }

    @Test func `register normalises and validates the user ID`() async throws {
        let client = TestClient(UnderstudyService(pages: Page.bundled()))
        try expect(
            await client.post("/register", #"{"userID":" 012345\n678912\t"}"#),
            is: #"""
                {"sequence":2,"ok":true,"commands":[
                  {"sequence":1,"page":"register","command":"render","key":"userID","value":"012345678912"},
                  {"sequence":2,"page":"register","command":"render","key":"errorMessage","value":null}]}
                """#
        )
        try expect(
            await client.post("/register", form: "userID=01234567891"),
            is: #"""
                {"sequence":4,"ok":false,"commands":[
                  {"sequence":3,"page":"register","command":"render","key":"userID","value":null},
                  {"sequence":4,"page":"register","command":"render","key":"errorMessage",
                   "value":"A user ID has exactly twelve digits","code":"registration.invalidUserID",
                   "parameters":{"digits":12}}],
                 "errors":[{"field":"userID","code":"registration.invalidUserID",
                   "message":"A user ID has exactly twelve digits","parameters":{"digits":12}}]}
                """#
        )
    }

    @Test func `signup creates the account and shows an alert`() async throws {
        let client = TestClient(UnderstudyService(pages: Page.bundled(accounts: store)))
        try expect(
            await client.post("/signup", form: "name=Lisa&email=lisa%40rules.com&password=x"),
            is: #"""
                {"sequence":1,"ok":true,"commands":[
                  {"sequence":1,"page":"signup","command":"showAlert","message":"Successful",
                   "code":"signup.successful"}]}
                """#
        )
        #expect(await store.saved == ["Lisa"])
    }

    @Test func `email saves a valid address and advances`() async throws {
        let client = TestClient(UnderstudyService(pages: Page.bundled(personSaving: store)))
        try await client.post("/email", form: "email=lisa%40rules.com")
        try expect(
            await client.post("/email", #"{"event":"saveButtonPressed"}"#),
            is: #"""
                {"sequence":2,"ok":true,"commands":[
                  {"sequence":2,"page":"email","command":"goToPage","name":"advance","href":"/home"}]}
                """#
        )
        #expect(await store.saved == ["lisa@rules.com"])
    }

    @Test func `product shows a product of the repository`() async throws {
        let client = TestClient(UnderstudyService(pages: Page.demo()))
        try expect(
            await client.post("/product", form: "product=Book"),
            is: #"""
                {"sequence":2,"ok":true,"commands":[
                  {"sequence":1,"page":"product","command":"render","key":"title","value":"Product"},
                  {"sequence":2,"page":"product","command":"render","key":"product",
                   "value":{"name":"Book","description":"","image":"book"}}]}
                """#
        )
    }

    @Test(arguments: Transport.allCases)
    func `products waits for the repository and leads to a product`(transport: Transport) async throws {
        let repository = SuspendedRepository()
        try await transport.run(UnderstudyService(pages: Page.bundled(repository: repository))) { client in
            func post(_ form: String) async throws -> Answer {
                async let answering: Void = repository.answerNext(with: .success([.car, .book]))
                let answer = try await client.post("/products", form: form)
                await answering
                return answer
            }
            try expect(
                await post("event=onStart"),
                is: #"""
                    {"sequence":4,"ok":true,"commands":[
                      {"sequence":1,"page":"products","command":"render","key":"title","value":"Products"},
                      {"sequence":2,"page":"products","command":"render","key":"loading","value":true},
                      {"sequence":3,"page":"products","command":"render","key":"products","value":[
                        {"name":"Car","description":"A beautiful car","image":"car"},
                        {"name":"Book","description":"","image":"book"}]},
                      {"sequence":4,"page":"products","command":"render","key":"loading","value":false}]}
                    """#
            )
            try expect(
                // The product is selected from the list, without another call of the repository.
                await client.post("/products", form: "event=onSelected&product=Car"),
                is: #"""
                    {"sequence":5,"ok":true,"commands":[
                      {"sequence":5,"page":"products","command":"goToPage","name":"ProductDetail","href":"/product",
                       "values":{"product":"Car"}}]}
                    """#
            )
        }
    }

    @Test func `GET waits for the session's running event`() async throws {
        let repository = SuspendedRepository()
        let service = UnderstudyService(pages: Page.bundled(repository: repository))
        let token = try #require(try await TestClient(service).post("/session")["token"]?.string)
        let headers: Headers = ["Authorization": "Bearer \(token)"]
        let posting = Task.immediate { await service.send(Request(.post, "/products", headers: headers)) }
        await repository.waitUntilAsked()
        let reading = Task.immediate { await service.send(Request(.get, "/products", headers: headers)) }
        await repository.answer(with: .success([]))
        #expect(await posting.value.status == 200)
        #expect(try await reading.value["rendered"] == ["title": "Products", "loading": false])
    }
}
