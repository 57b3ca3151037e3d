import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@testable import guestbook

@Test(arguments: Rehearsal.allCases)
func `only guests with a name are counted`(rehearsal: Rehearsal) async throws {
    try await rehearsal.run(Page("guestbook") { _ in GuestbookController() }) { screen in
        try await screen.send("signButtonPressed", ["name": "Lisa"])
        screen.expect(.render("greeting", "Welcome Lisa, you are guest 1"))
        try await screen.send("signButtonPressed", ["name": ""])
        screen.expect(.showAlert(Message(code: "guestbook.noName", text: "Please write your name")))
        try await screen.send("signButtonPressed", ["name": "Homer"])
        screen.expect(.render("greeting", "Welcome Homer, you are guest 2"))
    }
}
