import BusinessLogic
import Testing
import UnderstudyTesting

@testable import registration

@Suite struct RegistrationControllerTests {
    @Test func `a user ID may contain white space`() async throws {
        let screen = TestControllable(RegistrationController())
        try await screen.send("textFieldDidEndEditing", ["userID": " 0123 4567\t8912 "])
        screen.expect(RegistrationController.userID, "012345678912")
        screen.expect(RegistrationController.errorMessage, nil)
    }

    @Test func `each third mistake in a row shows where to find the user ID`() async throws {
        let screen = TestControllable(RegistrationController())
        for mistake in ["", "01234567891"] {
            try await screen.send("textFieldDidEndEditing", ["userID": .string(mistake)])
            screen.expect(RegistrationController.errorMessage, .notTwelveDigits)
        }
        try await screen.send("textFieldDidEndEditing", ["userID": "0123456789123"])
        screen.expect(RegistrationController.errorMessage, .notTwelveDigits)
        screen.expect(.showAlert(.whereToFindIt))
    }
}
