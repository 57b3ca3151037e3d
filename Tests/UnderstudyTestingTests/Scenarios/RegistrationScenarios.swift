import BundledControllers
import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@Suite struct RegistrationScenarios {
    private let page = Page("register") {
        RegistrationBusinessLogicController(userIDs: StubUserIDSaving(), identity: $0.identity)
    }

    @Test(arguments: Rehearsal.allCases)
    func `a user ID is cleaned and shown`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page) { screen in
            for userID: Value in ["012345678912", " 012345\n678912\t", "01 23 45 67 89 12"] {
                try await screen.send("textFieldDidEndEditing", ["userID": userID])
                screen.expect(.render("userID", "012345678912"), .render("errorMessage", .null))
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `anything but twelve digits renders an error`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(page) { screen in
            for userID: Value in ["", nil, "01234567891", "0123456789123", "01234567891x", "٠١٢٣٤٥٦٧٨٩١٢"] {
                try await screen.send("textFieldDidEndEditing", ["userID": userID])
                screen.expect(.render("userID", .null), .render("errorMessage", .invalidUserID))
            }
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `whoever has logged in keeps their user ID, unless it is somebody else's`(rehearsal: Rehearsal) async throws {
        let login = Page("login") {
            LoginBusinessLogicController(
                credentials: FixedCredentials(["batman": "bruce"]),
                clock: ManualClock(),
                identity: $0.identity
            )
        }
        let register = Page("register") {
            RegistrationBusinessLogicController(
                userIDs: StubUserIDSaving { userID, client in
                    userID == "012345678912" && client.user?.username == "batman"
                },
                identity: $0.identity
            )
        }
        try await rehearsal.run([login, register]) { screens in
            try await screens[login].send("loginButtonPressed", ["username": "batman", "password": "bruce"])
            screens[login].expect(.goToPage("Home"))
            try await screens[register].send("textFieldDidEndEditing", ["userID": "999999999999"])
            screens[register].expect(.render("userID", .null), .render("errorMessage", .userIDTaken))
            try await screens[register].send("textFieldDidEndEditing", ["userID": "012345678912"])
            screens[register].expect(.render("userID", "012345678912"), .render("errorMessage", .null))
        }
    }
}
