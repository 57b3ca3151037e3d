import BundledControllers
import BusinessLogic
import Testing

@Suite struct EmailScreenTests {
    private let person = Person()
    private let screen = EmailScreen()
    private let recorder = ResponseRecorder(page: "email")

    init() {
        screen.controllable = recorder
        person.observer = screen
    }

    @Test func `the save button is enabled exactly if the person is valid`() {
        person.email = "l"
        person.email = "lisa@rules.com"
        person.email = "lisa@rules"
        #expect(
            recorder.commands == [
                .render("saveButtonEnabled", false), .render("saveButtonEnabled", true),
                .render("saveButtonEnabled", false),
            ]
        )
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

    @Test func `a rejected save disables the save button`() async throws {
        try await person.save()
        #expect(recorder.commands == [.render("saveButtonEnabled", false)])
        #expect(screen.saveButtonEnabled == false)
    }

    @Test func `a new screen has not rendered its button`() {
        #expect(screen.saveButtonEnabled == nil)
        #expect(recorder.commands == [])
    }
}
