@testable import BundledControllers
import BusinessLogic
import TestSupport
import Testing

@Suite struct EmailScreenTests {
    private let person = Person()
    private let screen = EmailScreen()
    private let recorder = ResponseRecorder(page: "email")

    init() {
        screen.controllable = recorder
        person.addObserver(screen)
    }

    @Test func `the save button is enabled exactly if the person is valid`() {
        person.email = "l"
        person.email = "lisa@rules.com"
        person.email = "lisa@rules"
        recorder.expect([
            .render("saveButtonEnabled", false), .render("saveButtonEnabled", true),
            .render("saveButtonEnabled", false),
        ])
        #expect(screen.saveButtonEnabled == false)
    }

    @Test func `a change that does not affect the button renders nothing`() {
        person.email = "lisa@rules.com"
        person.email = "lisa@rules.co"
        person.email = "lisa@rules.com"
        #expect(recorder.commands == [.render("saveButtonEnabled", true)])
        #expect(screen.saveButtonEnabled == true)
    }

    @Test func `a save advances`() async throws {
        person.email = "lisa@rules.com"
        try await person.save()
        #expect(recorder.commands == [.render("saveButtonEnabled", true), .goToPage("advance")])
    }

    @Test func `a rejected save shows why and disables the save button, until the person changes`() async throws {
        try await person.save()
        let rejected: [Command] = [.render("message", .invalidEmail), .render("saveButtonEnabled", false)]
        #expect(recorder.commands == rejected)
        #expect(screen.showsMessage)
        person.email = "lisa@rules"
        #expect(recorder.commands == rejected + [.render("message", .null)])
        person.email = "lisa@rules.com"
        #expect(recorder.commands == rejected + [.render("message", .null), .render("saveButtonEnabled", true)])
        #expect(!screen.showsMessage)
        person.email = "lisa@rules"
        #expect(screen.saveButtonEnabled == false)
    }

    @Test func `a save without a logged-in user shows an alert and keeps the save button`() async throws {
        let person = Person(store: MembersOnlyStore())
        person.addObserver(screen)
        person.email = "lisa@rules.com"
        try await person.save()
        #expect(recorder.commands == [.render("saveButtonEnabled", true), .showAlert(.emailNotLoggedIn)])
        #expect(screen.saveButtonEnabled == true)
        #expect(!screen.showsMessage)
    }

    @Test func `a screen shows the state of the person when the view loads, and the saved address`() async throws {
        screen.show(person)
        #expect(recorder.commands == [.render("saveButtonEnabled", false)])
        person.email = "lisa@rules.com"
        try await person.save()
        screen.show(person)
        recorder.expect([
            .render("saveButtonEnabled", false), .render("saveButtonEnabled", true), .goToPage("advance"),
            .render("saveButtonEnabled", true), .render("email", "lisa@rules.com"),
        ])
    }

    @Test func `a new screen has not rendered its button`() {
        #expect(screen.saveButtonEnabled == nil)
        #expect(recorder.commands == [])
    }
}
