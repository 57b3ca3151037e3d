import BundledControllers
import Testing

@Suite struct InputNormaliserTests {
    private let normaliser = InputNormaliser()

    @Test(
        arguments: [
            ("012345678912", "012345678912"), (" 012345 678912 ", "012345678912"), ("  012345678912  ", "012345678912"),
            ("0123\n4567\t8912", "012345678912"), ("", ""), (nil, ""), ("   ", ""), (" a-1 é 🦇 ٣ ", "a-1é🦇٣"),
        ] as [(String?, String)]
    )
    func `all white space is removed, and other characters are kept`(input: String?, normalised: String) {
        #expect(normaliser.normalise(input) == normalised)
    }

    @Test(arguments: unicodeWhiteSpace)
    func `Unicode white space is removed`(space: String) {
        #expect(normaliser.normalise("\(space)012345\(space)\(space)678912\(space)") == "012345678912")
    }

    @Test func `exactly the code points with the property White_Space are removed, up to U+3100`() {
        let all = (0...0x3100).compactMap(Unicode.Scalar.init)
        let rest = String(String.UnicodeScalarView(all.filter { !$0.properties.isWhitespace }))
        let isRest = normaliser.normalise(String(String.UnicodeScalarView(all))).utf8.elementsEqual(rest.utf8)
        #expect(isRest)
    }
}

/// Next line, no-break space, em space, line separator, paragraph separator, ideographic space and others.
private let unicodeWhiteSpace = [
    "\u{B}", "\u{C}", "\r\n", "\u{85}", "\u{A0}", "\u{1680}", "\u{2000}", "\u{2003}", "\u{200A}", "\u{2028}",
    "\u{2029}",
    "\u{202F}", "\u{205F}", "\u{3000}",
]
