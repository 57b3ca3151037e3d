import BusinessLogic
import Testing
import UnderstudyTesting

@testable import registration

@Suite struct RegistrationControllerTests {
    @Test func `a user ID may contain white space`() async throws {
        let screen = TestControllable(RegistrationController())
        try await screen.send("textFieldDidEndEditing", ["userID": " 0123 4567\t8912 "])
        screen.expect(RegistrationController.userID, "012345678912")
    }
}
