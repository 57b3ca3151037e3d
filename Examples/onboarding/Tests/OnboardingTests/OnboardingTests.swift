import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@testable import onboarding

private struct FixedCodes: CodeSending {
    func sendCode(to number: PhoneNumber) -> String { "123456" }
}

@Suite struct OnboardingTests {
    private let pages = onboardingPages(codes: FixedCodes())
    private var number: Page { pages[0] }
    private var code: Page { pages[1] }
    private var profile: Page { pages[2] }

    @Test(arguments: Rehearsal.allCases)
    func `a user confirms a telephone number and saves a profile`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages) { screens in
            try await screens[number].send("continueButtonPressed", ["number": "+49 30 123456"])
            screens[number].expect(.goToPage(.code))
            try await screens[code].send("viewDidLoad")
            screens[code].expect(CodeController.number, "+4930123456")

            try await screens[code].send("continueButtonPressed", ["code": "654321"])
            screens[code].expect(.showAlert(.wrongCode(attemptsLeft: 2)))
            try await screens[code].send("continueButtonPressed", ["code": "123456"])
            screens[code].expect(.goToPage(.profile))

            try await screens[profile].send("viewDidLoad")
            try await screens[profile].send("saveButtonPressed", ["name": ""])
            screens[profile].expect(.showAlert(.noName))
            try await screens[profile].send("saveButtonPressed", ["name": "Lisa", "newsletter": true])
            screens[profile].expect(ProfileController.welcome, .welcome("Lisa"))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `after three wrong codes, the user must request another`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages) { screens in
            try await screens[number].send("continueButtonPressed", ["number": "+49 30 123456"])
            screens[number].expect(.goToPage(.code))
            for attemptsLeft in [2, 1, 0] {
                try await screens[code].send("continueButtonPressed", ["code": "654321"])
                screens[code].expect(.showAlert(.wrongCode(attemptsLeft: attemptsLeft)))
            }
            try await screens[code].send("continueButtonPressed", ["code": "123456"])
            screens[code].expect(.showAlert(.noAttemptsLeft))

            try await screens[number].send("continueButtonPressed")
            screens[number].expect(.goToPage(.code))
            try await screens[code].send("continueButtonPressed", ["code": "123456"])
            screens[code].expect(.goToPage(.profile))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a user without a confirmed number returns to the first page`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages) { screens in
            try await screens[profile].send("viewDidLoad")
            screens[profile].expect(.goToPage(.number))
            try await screens[profile].send("saveButtonPressed", ["name": "Lisa"])
            screens[profile].expect(.goToPage(.number))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a text that is not a telephone number is rejected with an example`(rehearsal: Rehearsal) async throws {
        let expected = ExpectedValue(.string, format: "phone", example: "+49 30 123456")
        try await rehearsal.run(pages) { screens in
            await #expect(throws: EventError.wrongFieldType("number", expected: expected, fields: ["number"])) {
                try await screens[number].send("continueButtonPressed", ["number": "030 123456"])
            }
        }
    }

    @Test func `a user who has confirmed a number saves a profile`() async throws {
        let values = SessionValues()
        let controller = ProfileController(onboarding: values[onboarding])
        values[onboarding].value.isConfirmed = true
        let screen = TestControllable(controller, sessionValues: values)
        try await screen.send("saveButtonPressed", ["name": "Lisa"])
        screen.expect(ProfileController.welcome, .welcome("Lisa"))
    }

    @Test(arguments: [(1, "Falscher Code, noch 1 Versuch"), (2, "Falscher Code, noch 2 Versuche")])
    func `a wrong code has a German text for the number of attempts`(attemptsLeft: Int, text: String) throws {
        let translations = try Translations(catalog: PackageResources.Localizable_xcstrings)
        #expect(translations.text(of: .wrongCode(attemptsLeft: attemptsLeft), in: "de-AT") == text)
    }
}
