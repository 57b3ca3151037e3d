import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@testable import registration

@Suite struct RegistrationControllerTests {
    @Test(arguments: Rehearsal.allCases)
    func `a user ID may contain white space`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages[0]) { screen in
            try await screen.send("textFieldDidEndEditing", ["userID": " 0123 4567\t8912 "])
            screen.expect(RegistrationController.userID, "012345678912")
            screen.expect(RegistrationController.errorMessage, nil)
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `each third mistake in a row shows where to find the user ID`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages[0]) { screen in
            for mistake in ["", "01234567891"] {
                try await screen.send("textFieldDidEndEditing", ["userID": .string(mistake)])
                screen.expect(RegistrationController.errorMessage, .notTwelveDigits)
            }
            try await screen.send("textFieldDidEndEditing", ["userID": "0123456789123"])
            screen.expect(RegistrationController.errorMessage, .notTwelveDigits)
            screen.expect(.showAlert(.whereToFindIt))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `digits of other scripts are rejected`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages[0]) { screen in
            try await screen.send("textFieldDidEndEditing", ["userID": "٠١٢٣٤٥٦٧٨٩١٢"])
            screen.expect(RegistrationController.errorMessage, .notTwelveDigits)
        }
    }
}
