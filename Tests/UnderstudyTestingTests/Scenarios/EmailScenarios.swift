import BundledControllers
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Suite struct EmailScenarios {
    private func page(_ store: any PersonSaving) -> Page {
        Page("email") { EmailBusinessLogicController(person: Person(store: store, identity: $0.identity)) }
    }

    @Test(arguments: Rehearsal.allCases)
    func `the save button is enabled while the address is valid`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page(StubPersonSaving())) { screen in
            try await screen.send("emailChanged", ["email": "lisa@rules"])
            screen.expect(.render("saveButtonEnabled", false))
            try await screen.send("emailChanged", ["email": "lisa@rule"])
            try await screen.send("emailChanged", ["email": "lisa@rules.com"])
            screen.expect(.render("saveButtonEnabled", true))
            try await screen.send("emailChanged", ["email": nil])
            screen.expect(.render("saveButtonEnabled", false))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a valid address is saved and no other`(rehearsal: Rehearsal) async throws {
        let store = StubPersonSaving { email, _ in #expect(email == "lisa@rules.com") }
        try await rehearsal.run(page(store)) { screen in
            try await screen.send("saveButtonPressed")
            screen.expect(.render("saveButtonEnabled", false))
            try await screen.send("emailChanged", ["email": "lisa@rules.com"])
            screen.expect(.render("saveButtonEnabled", true))
            try await screen.send("saveButtonPressed")
            screen.expect(.goToPage("advance"))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `an address that cannot be saved now can be saved later`(rehearsal: Rehearsal) async throws {
        let store = StubPersonSaving { email, _ in
            if email == "chris@gmail.com" { throw CollaboratorError.overloaded(retryAfter: .seconds(2)) }
        }
        try await rehearsal.run(page(store)) { screen in
            try await screen.send("emailChanged", ["email": "chris@gmail.com"])
            screen.expect(.render("saveButtonEnabled", true))
            await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(2))) {
                try await screen.send("saveButtonPressed")
            }
            try await screen.send("emailChanged", ["email": "lisa@rules.com"])
            try await screen.send("saveButtonPressed")
            screen.expect(.goToPage("advance"))
        }
    }
}
