import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@testable import guestbook

@Test(arguments: Rehearsal.allCases)
func `only guests with a name are counted`(rehearsal: Rehearsal) async throws {
    try await rehearsal.run(Page("guestbook") { _ in GuestbookController() }) { screen in
        try await screen.send("signButtonPressed", ["name": "Lisa"])
        screen.expect(GuestbookController.greeting, "Welcome Lisa, you are guest 1")
        try await screen.send("signButtonPressed", ["name": ""])
        screen.expect(.showAlert(.noName))
        try await screen.send("signButtonPressed", ["name": "Homer"])
        screen.expect(GuestbookController.greeting, "Welcome Homer, you are guest 2")
    }
}
