struct InputNormaliserTests {
    let normaliser = InputNormaliser()

    @Test(
        arguments: [
            ("012345678912", "012345678912"), (" 012345 678912 ", "012345678912"), ("  012345678912  ", "012345678912"),
            ("0123\n4567\t89\r\n12", "012345678912"), ("", ""), (nil, ""), ("   ", ""), (" a-1 é 🦇 ٣ ", "a-1é🦇٣"),
        ] as [(String?, String)]
    )
    func `all white space is removed, and other characters are kept`(input: String?, normalised: String) {
        #expect(normaliser.normalise(input) == normalised)
    }

    @Test func `exactly the code points with the property White_Space are removed, up to U+3100`() {
        let all = (0...0x3100).compactMap(Unicode.Scalar.init)
        let rest = String(String.UnicodeScalarView(all.filter { !$0.properties.isWhitespace }))
        let isRest = normaliser.normalise(String(String.UnicodeScalarView(all))).utf8.elementsEqual(rest.utf8)
        #expect(isRest)
    }
}
