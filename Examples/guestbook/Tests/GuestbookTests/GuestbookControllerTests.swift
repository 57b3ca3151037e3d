import BusinessLogic
import Testing

@testable import guestbook

@Test func `the second guest is guest 2, and one without a name is none`() async throws {
    let screen = ResponseRecorder()
    screen.eventable = GuestbookController()
    for name in ["Lisa", "", "Homer"] {
        screen.setValue(.string(name), for: "name")
        try await screen.dispatchEvent("signButtonPressed")
    }
    #expect(
        screen.commands == [
            .render("greeting", "Welcome Lisa, you are guest 1"),
            .showAlert(Message(code: "guestbook.noName", text: "Please write your name")),
            .render("greeting", "Welcome Homer, you are guest 2"),
        ]
    )
}
