@testable import UnderstudyCommandLine

/// Text from clients and files, for an operator's terminal.
struct PrintableTests {
    @Test(
        arguments: [
            "\0", "\u{7}", "\n", "\r", "\u{1B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{9B}", "\u{9F}", "\u{61C}",
            "\u{200E}",
            "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
        ] as [Unicode.Scalar]
    )
    func `a character that controls a terminal or reverses text is unprintable`(scalar: Unicode.Scalar) {
        #expect(scalar.isUnprintable)
        #expect("a\(scalar)b".printable == "a\u{FFFD}b")
        #expect(!"a\(scalar)b".escaped.unicodeScalars.contains(scalar))
        #expect(!"a\(scalar)b".json.unicodeScalars.contains(scalar))
    }

    @Test(arguments: [" ", "~", "\u{A0}", "ü", "e\u{301}", "한", "👩‍👩‍👧", "\u{AD}", "مرحبا"])
    func `other text is unchanged`(text: String) {
        #expect(text.printable == text)
        #expect(text.escaped == text)
        #expect(text.json == "\"\(text)\"")
    }

    @Test(arguments: ["\u{600}", "\u{301}", "\u{903}", "\u{200D}"])
    func `a metacharacter next to a character that joins it is escaped`(mark: String) {
        #expect("\(mark)'\(mark)".logWord == "'\(mark)\\'\(mark)'")
        #expect("\(mark)\"\(mark)".json == "\"\(mark)\\\"\(mark)\"")
        #expect("\(mark)'\(mark)".shellQuoted == "'\(mark)'\\''\(mark)'")
    }

    @Test func `unprintable characters are escaped as in JSON, for a terminal except bold text and line feeds`() {
        let text = "\(Terminal.bold)a\(Terminal.plain)\n\tb\u{1B}[2J\u{9B}\r\u{202E}"
        #expect(text.escapedForTerminal == "\(Terminal.bold)a\(Terminal.plain)\n\tb" + #"\u001b[2J\u009b\u000d\u202e"#)
        #expect("a\u{9B}\n\u{202E}".escaped == #"a\u009b\u000a\u202e"#)
        #expect("\"\\\n".json == #""\"\\\n""#)
    }
}
