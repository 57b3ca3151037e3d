import BundledControllers
import BusinessLogic
import Testing

@Suite struct InputNormaliserTests {
    private let normaliser = InputNormaliser()

    @Test func `input without white space is unchanged`() {
        #expect(normaliser.normalise("012345678912") == "012345678912")
    }

    @Test func `white space inside is removed`() {
        #expect(normaliser.normalise(" 012345 678912 ") == "012345678912")
    }

    @Test func `white space at both ends is removed`() {
        #expect(normaliser.normalise("  012345678912  ") == "012345678912")
    }

    @Test func `newlines and tabs are removed`() {
        #expect(normaliser.normalise("0123\n4567\t8912") == "012345678912")
    }

    @Test func `empty input stays empty`() {
        #expect(normaliser.normalise("") == "")
    }

    @Test func `nil becomes an empty text`() {
        #expect(normaliser.normalise(nil) == "")
    }

    @Test func `white space alone becomes an empty text`() {
        #expect(normaliser.normalise("   ") == "")
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

    @Test func `other characters are kept`() {
        #expect(normaliser.normalise(" a-1 é 🦇 ٣ ") == "a-1é🦇٣")
    }
}

/// Next line, no-break space, em space, line separator, paragraph separator, ideographic space and others.
private let unicodeWhiteSpace = [
    "\u{B}", "\u{C}", "\r\n", "\u{85}", "\u{A0}", "\u{1680}", "\u{2000}", "\u{2003}", "\u{200A}", "\u{2028}",
    "\u{2029}",
    "\u{202F}", "\u{205F}", "\u{3000}",
]
