struct NormalizationTests {
    /// Marks in the order that takes longest to sort.
    static func marks(_ count: Int) -> String {
        let classes = (0x300...0x36F).compactMap { Unicode.Scalar($0) }
            .filter { $0.properties.canonicalCombiningClass != .notReordered }
            .sorted { $0.properties.canonicalCombiningClass > $1.properties.canonicalCombiningClass }
        return String(String.UnicodeScalarView((0..<count).map { classes[$0 * classes.count / count] }))
    }

    @Test(arguments: [
        "", "Batman", "cafe\u{301}", "\u{212B}", "\u{1112}\u{1161}\u{11AB}", "q\u{323}\u{307}", "\u{344}",
        // Any number of marks on one character are sorted together.
        "a" + marks(95) + "b" + marks(30),
    ])
    func `a normalised text is in NFC`(text: String) {
        let expected = text.precomposedStringWithCanonicalMapping.unicodeScalars
        #expect(text.normalized.unicodeScalars.elementsEqual(expected))
        #expect(text.normalized.normalized.unicodeScalars.elementsEqual(expected))
    }
}
