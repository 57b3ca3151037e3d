struct AccountKeyTests {
    @Test(arguments: [
        ("Batman", "bATMAN"), ("caf\u{E9}", "CAFE\u{301}"), ("ΟΔΟΣ", "οδος"), ("\u{212B}", "\u{E5}"), ("", ""),
        ("a\0B", "A\0b"), ("\u{B5}", "\u{3BC}"), ("\u{B5}", "\u{39C}"), ("\u{17F}", "S"), ("\u{FB01}", "Fi"),
        ("\u{1D2E}", "b"),
        ("\u{2460}", "1"), ("ας\u{301}", "ασ\u{301}"), ("ΑΣ\u{200D}", "ας\u{200D}"), ("\u{1C80}", "В"),
        ("\u{345}", "Ι"), ("Stra\u{DF}e", "STRA\u{1E9E}E"), ("\u{130}zmir", "i\u{307}zmir"),
        ("I\u{307}stanbul", "\u{130}STANBUL"), ("\u{212B}o\u{308}", "a\u{30A}\u{F6}"), ("\u{FF41}\u{FF22}", "ab"),
    ])
    func `names that differ in case, composition or compatibility are equal`(one: String, other: String) {
        #expect(AccountKey(one) == AccountKey(other))
        #expect(Set([AccountKey(one), AccountKey(other)]).count == 1)
    }

    @Test(arguments: [("a", "b"), ("a", "a "), ("a", "a\0"), ("stra\u{DF}e", "strasse"), ("i", "\u{131}")])
    func `other names differ`(one: String, other: String) { #expect(AccountKey(one) != AccountKey(other)) }

    @Test func `the key of more than 1,024 code points is the text itself`() {
        let longest = "A".repeated(1024)
        #expect(AccountKey(longest).text == longest.lowercased())
        #expect(AccountKey(longest + "A").text == longest + "A")
        let marks = "a" + "\u{301}\u{323}".repeated(2500)
        #expect(AccountKey(marks).text == marks)
    }
}
