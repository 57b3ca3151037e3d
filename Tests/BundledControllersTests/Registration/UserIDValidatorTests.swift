struct UserIDValidatorTests {
    @Test(
        arguments: [
            ("012345678912", true), (nil, false), ("", false), ("1", false), ("01234567891", false),
            ("0123456789123", false), ("1000000000000000000", false), ("01234a67b912", false), (" 01234567891", false),
            ("01234567891 ", false), ("012345 67891", false), ("012345\n67891", false), ("-12345678912", false),
            ("+12345678912", false),
            // Arabic-Indic, Extended Arabic-Indic, Devanagari, full-width, mathematical bold and superscript digits.
            ("٠١٢٣٤٥٦٧٨٩١٢", false), ("۰۱۲۳۴۵۶۷۸۹۱۲", false), ("०१२३४५६७८९१२", false), ("０１２３４５６７８９１２", false),
            ("𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗𝟏𝟐", false), ("⁰¹²³⁴⁵⁶⁷⁸⁹¹²", false),
            // One Arabic-Indic digit among ASCII ones, and as many digits as have twelve bytes.
            ("٠12345678912", false), ("٠١٢٣٤٥", false), ("०१२३", false),
        ] as [(String?, Bool)]
    )
    func `only twelve ASCII digits are valid`(userID: String?, isValid: Bool) {
        #expect(UserIDValidator().isValid(userID: userID) == isValid)
    }
}
