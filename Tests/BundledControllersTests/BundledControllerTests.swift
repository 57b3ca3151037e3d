@testable import BundledControllers
import Testing
import TestSupport

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

    @Test func `the examples of every bundled event fit the fields that it reads`() {
        func check<Controller>(_ table: EventTable<Controller>) {
            for row in table.rows {
                for example in row.examples() {
                    #expect(row.declaration.reads.map(\.name) == example.map(\.name))
                    #expect(row.declaration.reads.allSatisfy { example[$0.name].map($0.accepts) ?? false })
                }
                #expect(row.examples().isEmpty == row.declaration.reads.isEmpty)
            }
        }
        check(LoginBusinessLogicController.events)
        check(HomeBusinessLogicController.events)
        check(RegistrationBusinessLogicController.events)
        check(SignupBusinessLogicController.events)
        check(ProductsPresenter.events)
        check(ProductDetailPresenter.events)
        check(EmailBusinessLogicController.events)
        check(ForgotPasswordBusinessLogicController.events)
        check(ResetPasswordBusinessLogicController.events)
        check(VerifyAddressBusinessLogicController.events)
        check(AccountBusinessLogicController.events)
        check(SecondFactorBusinessLogicController.events)
        check(FactorsBusinessLogicController.events)
    }
}
