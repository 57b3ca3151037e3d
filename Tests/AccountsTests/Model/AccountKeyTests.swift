import Accounts
import Testing

@Suite struct AccountKeyTests {
    @Test(arguments: [
        ("Batman", "bATMAN"), ("caf\u{E9}", "CAFE\u{301}"), ("ΟΔΟΣ", "οδος"), ("\u{212B}", "\u{E5}"), ("", ""),
        ("a\0B", "A\0b"),
    ])
    func `neither capitals nor composition tell two names apart`(one: String, other: String) {
        #expect(AccountKey(one) == AccountKey(other))
        #expect(Set([AccountKey(one), AccountKey(other)]).count == 1)
    }

    @Test(arguments: [("a", "b"), ("a", "a "), ("a", "a\0"), ("stra\u{DF}e", "strasse"), ("i", "\u{131}")])
    func `all else does`(one: String, other: String) {
        #expect(AccountKey(one) != AccountKey(other))
    }
}
