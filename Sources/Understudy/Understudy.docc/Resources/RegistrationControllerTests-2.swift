import BusinessLogic
import Testing
import UnderstudyTesting

@testable import registration

@Suite struct RegistrationControllerTests {
    @Test func `white space is taken out of a user ID`() async throws {
        let screen = TestControllable(RegistrationController())
        try await screen.send("textFieldDidEndEditing", ["userID": " 0123 4567\t8912 "])
        screen.expect(.render("userID", "012345678912"), .render("errorMessage", nil))
    }

    @Test func `each third mistake in a row is told where the user ID is to be found`() async throws {
        let screen = TestControllable(RegistrationController())
        for mistake in ["", "01234567891"] {
            try await screen.send("textFieldDidEndEditing", ["userID": .string(mistake)])
            screen.expect(.render("errorMessage", .notTwelveDigits))
        }
        try await screen.send("textFieldDidEndEditing", ["userID": "0123456789123"])
        screen.expect(.render("errorMessage", .notTwelveDigits), .showAlert(.whereToFindIt))
    }
}
