import Understudy
import UnderstudyCommandLine

/// Prints the codes, because this example has no contract with a telephone company.
struct PrintedCodes: CodeSending {
    func sendCode(to number: PhoneNumber) -> String {
        let code = String(Int.random(in: 100_000...999_999))
        print("The code for \(number.text) is \(code)")
        return code
    }
}

var application = Application(title: "Onboarding", version: "1.0") { _ in onboardingPages(codes: PrintedCodes()) }
application.translations = try Translations(catalog: PackageResources.Localizable_xcstrings)
try await application.run()
