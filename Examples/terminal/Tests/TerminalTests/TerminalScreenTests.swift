import BundledControllers
import BusinessLogic
import Testing

@testable import terminal

@Test(arguments: [
    (" 012345 678912 ", ["userID: 012345678912"]),
    ("12345", ["errorMessage: A user ID has exactly twelve digits"]),
])
func `the bundled controller asks for a user ID and validates it`(typed: String, shown: [String]) async throws {
    var (asked, lines): ([String], [String]) = ([], [])
    let screen = TerminalScreen(
        ask: { field in
            asked.append(field)
            return typed
        },
        show: { lines.append($0) }
    )
    screen.eventable = RegistrationBusinessLogicController()
    try await screen.eventable?.dispatchEvent("textFieldDidEndEditing")
    #expect(asked == ["userID"])
    #expect(lines == shown)
}
