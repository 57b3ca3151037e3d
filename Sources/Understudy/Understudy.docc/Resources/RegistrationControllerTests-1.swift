import BusinessLogic
import Testing
import UnderstudyTesting

@testable import registration

@Suite struct RegistrationControllerTests {
    @Test func `white space is taken out of a user ID`() async throws {
        let screen = TestControllable(RegistrationController())
        try await screen.send("textFieldDidEndEditing", ["userID": " 0123 4567\t8912 "])
        screen.expect(.render("userID", "012345678912"))
    }
}
