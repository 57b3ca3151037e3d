import BundledControllers
import BusinessLogic
import Testing

@Suite struct UserIDValidatorTests {
    private let validator = UserIDValidator()

    @Test func `twelve digits are valid`() {
        #expect(validator.isValid(userID: "012345678912"))
    }

    @Test(arguments: [
        nil, "", "1", "01234567891", "0123456789123", "1000000000000000000", "01234a67b912", " 01234567891",
        "01234567891 ", "012345 67891", "012345\n67891", "-12345678912", "+12345678912",
    ])
    func `any other text is invalid`(userID: String?) {
        #expect(!validator.isValid(userID: userID))
    }

    @Test(arguments: nonASCIIDigits)
    func `digits outside ASCII are invalid`(userID: String) {
        #expect(!validator.isValid(userID: userID))
    }
}

/// Twelve digits each, but not twelve ASCII ones: Arabic-Indic, Extended Arabic-Indic, Devanagari, full-width,
/// mathematical bold, superscript, one Arabic-Indic among ASCII ones, and as many digits as have twelve bytes.
private let nonASCIIDigits = [
    "٠١٢٣٤٥٦٧٨٩١٢", "۰۱۲۳۴۵۶۷۸۹۱۲", "०१२३४५६७८९१२", "０１２３４５６７８９１２", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗𝟏𝟐", "⁰¹²³⁴⁵⁶⁷⁸⁹¹²", "٠12345678912",
    "٠١٢٣٤٥", "०१२३",
]
