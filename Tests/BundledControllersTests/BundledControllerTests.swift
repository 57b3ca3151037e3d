@testable import BundledControllers

struct BundledControllerTests {
    static let groups = [
        LoginScenarios.group, HomeScenarios.group, RegistrationScenarios.group, SignupScenarios.group,
        ProductScenarios.lists, ProductScenarios.details, EmailScenarios.group, CodeScenarios.group,
        AccountScenarios.group, SecondFactorScenarios.group, FactorsScenarios.group,
    ]

    @Test(arguments: groups.flatMap { group in group.scenarios.map { (group, $0) } })
    func `each scenario gives its commands, in one process and continued in another before each event`(
        group: ScenarioGroup,
        scenario: Scenario
    ) async throws {
        for isRestored in [false, true] { _ = try await group.run(scenario, isRestored: isRestored) }
    }

    @Test func `the scenarios give all commands that the controllers declare`() async throws {
        var (declared, given): (Set<String>, Set<String>) = ([], [])
        for group in Self.groups {
            for scenario in group.scenarios {
                let session = try await group.run(scenario)
                declared.formUnion(session.declared)
                given.formUnion(session.given)
            }
        }
        #expect(declared.subtracting(given) == [])
    }

    @Test func `the codes, parameters and fields of the messages are stable`() async throws {
        var messages: Set<String> = []
        for group in Self.groups { messages.formUnion(try await group.run(group.scenarios[0]).messages) }
        #expect(messages.sorted().joined(separator: " ") == Self.messages)
    }

    static let messages = """
        account.deleted account.invalidEmail@newEmail account.none account.ownSession@session \
        account.passwordChanged account.sessionsEnded account.unknownDevice@device account.unknownSession@session \
        account.wrongPassword@password email.invalid@email email.notLoggedIn factors.loginTooOld \
        factors.noPasskeys@passkey factors.none factors.unconfirmedAddress factors.unknownPasskey@passkeyID \
        factors.wrongCode@code factors.wrongPasskey@passkey forgot.codeSent login.allowed login.tooManyAttempts login.wrongCredentials \
        login.wrongPasskey product.notValid@product products.unavailable products.unknown@product \
        products.withoutDescription@product registration.invalidUserID(digits: 12)@userID \
        registration.userIDTaken@userID reset.successful reset.tooManyAttempts reset.wrongCode@code \
        secondFactor.expired secondFactor.tooManyAttempts secondFactor.wrong@code signup.incomplete \
        signup.successful signup.tooManyAttempts signup.unsuccessful@email verify.addressChanged verify.codeSent verify.tooManyAttempts \
        verify.wrongCode@code
        """

    @Test func `what only the client may learn is secret`() async throws {
        var outputs: Set<String> = []
        for group in Self.groups { outputs.formUnion(try await group.run(group.scenarios[0]).secretOutputs) }
        #expect(outputs.sorted() == ["agentToken", "appAddress", "appQRCode", "appSecret", "recoveryCodes"])
    }

    /// A screen owns its controller, and a controller does not own its screen.
    @Test(arguments: groups)
    func `controllers and screens are freed with their session`(group: ScenarioGroup) async throws {
        func areLeft() async throws -> [() -> Bool] {
            try await group.run(group.scenarios[0]).pages.map { page in
                let (screen, logic) = (page.screen, page.logic)
                return { [weak screen, weak logic] in screen != nil || logic != nil }
            }
        }
        #expect(try await !areLeft().contains { $0() })
    }

    @Test func `a state of an earlier version can be restored`() throws {
        let products = ProductsPresenter(repository: ProductsRepository([]))
        products.state = try decoded(from: "{}")
        #expect(products.state.items == nil)
        let email = EmailBusinessLogicController()
        email.state = try decoded(from: #"{"email":"lisa@rules.com","saveButtonEnabled":true}"#)
        #expect(try json(email.state) == #"{"email":"lisa@rules.com","saveButtonEnabled":true}"#)
        let text =
            #"{"emailIsPresent":true,"nameIsPresent":true,"passwordIsPresent":true,"submitButtonEnabled":true,"#
            + #""unsuccessfulAttempts":2}"#
        let signup = SignupBusinessLogicController()
        signup.state = try decoded(from: text)
        #expect(try json(signup.state) == text)
    }

    @Test(arguments: groups)
    func `the examples of every event fit the fields that it reads`(group: ScenarioGroup) async throws {
        #expect(try await group.run(group.scenarios[0]).pages.allSatisfy { $0.logic.hasFittingExamples })
    }
}
