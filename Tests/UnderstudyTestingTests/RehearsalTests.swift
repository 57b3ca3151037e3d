import BundledControllers
import BundledPages
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

/// A controller that begins what it cannot end.
private final class HastyController: BusinessLogicController {
    static let events: EventTable<HastyController> = [
        .default("started") { controller in
            controller.controllable?.render("loading", true)
            throw CollaboratorError.overloaded(retryAfter: .seconds(3))
        }
    ]

    weak var controllable: (any Controllable)?
    typealias State = NoState
}

@Suite struct RehearsalTests {
    @Test(arguments: Rehearsal.allCases)
    func `a scenario that does not come out fails, whichever way it is played`(rehearsal: Rehearsal) async throws {
        try await withKnownIssue {
            try await rehearsal.run(Page("product") { _ in ProductDetailPresenter(repository: StubRepository { [] }) })
            {
                try await $0.send("onStart", ["product": "Car"])
                $0.expect(.render("title", "Product"))
            }
        } matching: {
            $0.comments.first?.rawValue.contains("+   [1]: .showAlert(") == true
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `what a scenario leaves unexpected fails at its end`(rehearsal: Rehearsal) async throws {
        try await withKnownIssue {
            try await rehearsal.run(Page("product") { _ in ProductDetailPresenter(repository: StubRepository { [] }) })
            {
                try await $0.send("onStart", ["product": "Car"])
            }
        } matching: {
            $0.comments.first?.rawValue.hasPrefix("Commands came that were not expected.") == true
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `what a scenario throws is thrown on`(rehearsal: Rehearsal) async {
        await #expect(throws: CancellationError.self) {
            try await rehearsal.run(Page.demo()) { _ in throw CancellationError() }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `an event that fails gives no commands`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(Page("hasty") { _ in HastyController() }) { screen in
            for _ in 1...2 {
                await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(3))) {
                    try await screen.send("started")
                }
                screen.expect()
                #expect(screen.rendered == [:])
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `each scenario starts anew`(rehearsal: Rehearsal) async throws {
        let page = Page("email") { _ in EmailBusinessLogicController() }
        for _ in 1...2 {
            try await rehearsal.run(page) {
                try await $0.send("emailChanged", ["email": "lisa@rules.com"])
                $0.expect(.render("saveButtonEnabled", true))
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a fake that a server asks fails the test as well`(rehearsal: Rehearsal) async throws {
        let page = Page("products") { [repository = StubRepository()] _ in ProductsPresenter(repository: repository) }
        try await withKnownIssue {
            try await rehearsal.run(page) { screen in
                try await screen.send("onSelected", ["product": "Car"])
                screen.expect(.showAlert(.productsUnavailable))
            }
        } matching: {
            $0.comments.map(\.rawValue) == [
                "StubRepository.get was called, and the test does not say what it does."
            ]
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a field that no event reads fails where it is filled`(rehearsal: Rehearsal) async throws {
        let line = #line + 3
        try await withKnownIssue {
            try await rehearsal.run(Page("email") { _ in EmailBusinessLogicController() }) { screen in
                try await screen.send("emailChanged", ["email": "lisa@rules.com", "mail": "lisa@rules.com"])
                screen.expect(.render("saveButtonEnabled", true))
            }
        } matching: {
            $0.comments.map(\.rawValue) == ["No event reads the field 'mail'; there are: email."]
                && $0.sourceLocation?.line == line
        }
    }
}
