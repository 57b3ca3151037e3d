import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@testable import registration

@Suite struct RegistrationControllerTests {
    @Test(arguments: Rehearsal.allCases)
    func `white space is taken out of a user ID`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages[0]) { screen in
            try await screen.send("textFieldDidEndEditing", ["userID": " 0123 4567\t8912 "])
            screen.expect(.render("userID", "012345678912"), .render("errorMessage", nil))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `each third mistake in a row is told where the user ID is to be found`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages[0]) { screen in
            for mistake in ["", "01234567891"] {
                try await screen.send("textFieldDidEndEditing", ["userID": .string(mistake)])
                screen.expect(.render("errorMessage", .notTwelveDigits))
            }
            try await screen.send("textFieldDidEndEditing", ["userID": "0123456789123"])
            screen.expect(.render("errorMessage", .notTwelveDigits), .showAlert(.whereToFindIt))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `digits of other scripts are refused`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages[0]) { screen in
            try await screen.send("textFieldDidEndEditing", ["userID": "٠١٢٣٤٥٦٧٨٩١٢"])
            screen.expect(.render("errorMessage", .notTwelveDigits))
        }
    }
}
