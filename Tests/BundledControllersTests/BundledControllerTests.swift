import TestSupport

@testable import BundledControllers

@Suite struct BundledControllerTests {
    private static let groups = [
        LoginScenarios.group, HomeScenarios.group, RegistrationScenarios.group, SignupScenarios.group,
        ProductScenarios.lists, ProductScenarios.details, EmailScenarios.group, CodeScenarios.group,
        AccountScenarios.group, SecondFactorScenarios.group, FactorsScenarios.group,
    ]

    @Test(arguments: groups.flatMap { group in group.scenarios.map { (group, $0) } })
    private func `each scenario gives its commands, in one process and continued in another before each event`(
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

    @Test func `the codes of the messages are stable`() async throws {
        var codes: Set<String> = []
        for group in Self.groups { codes.formUnion(try await group.run(group.scenarios[0]).codes) }
        #expect(codes.sorted().joined(separator: " ") == Self.codes)
    }

    private static let codes = """
        account.deleted account.invalidEmail account.none account.ownSession account.passwordChanged account.sessionsEnded \
        account.unknownDevice account.unknownSession account.wrongPassword email.invalid email.notLoggedIn \
        factors.loginTooOld factors.noPasskeys factors.none factors.unknownPasskey factors.wrongCode \
        factors.wrongPasskey forgot.codeSent login.allowed login.tooManyAttempts login.wrongCredentials \
        login.wrongPasskey product.notValid products.unavailable products.unknown products.withoutDescription \
        registration.invalidUserID registration.userIDTaken reset.successful reset.tooManyAttempts reset.wrongCode \
        secondFactor.expired secondFactor.tooManyAttempts secondFactor.wrong signup.incomplete signup.successful \
        signup.tooManyAttempts signup.unsuccessful verify.codeSent verify.tooManyAttempts verify.wrongCode
        """

    /// A screen owns its controller, and a controller does not own its screen.
    @Test(arguments: groups) private func `controllers and screens are freed with their session`(
        group: ScenarioGroup
    ) async throws {
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

    @Test(arguments: groups) private func `the examples of every event fit the fields that it reads`(
        group: ScenarioGroup
    ) async throws {
        let session = try await group.run(group.scenarios[0])
        #expect(session.pages.allSatisfy { $0.logic.hasFittingExamples })
    }
}
