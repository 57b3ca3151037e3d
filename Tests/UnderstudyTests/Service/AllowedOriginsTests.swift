import HTTPMessages
import Testing

@testable import Understudy

@Suite struct AllowedOriginsTests {
    @Test(
        arguments: [
            ("https://app.example", ["https://app.example"]), ("http://localhost:3000", ["http://localhost:3000"]),
            ("https://a.example,http://b.example", ["https://a.example", "http://b.example"]),
            (" https://a.example , https://b.example ", ["https://a.example", "https://b.example"]),
            ("HTTPS://App.Example", ["https://app.example"]), ("https://a.example:443", ["https://a.example"]),
            ("http://a.example:80", ["http://a.example"]), ("http://a.example:443", ["http://a.example:443"]),
            ("http://[::1]:8080", ["http://[::1]:8080"]), ("http://127.0.0.1", ["http://127.0.0.1"]),
            ("https://xn--bcher-kva.example", ["https://xn--bcher-kva.example"]), ("http://a_b-c", ["http://a_b-c"]),
        ] as [(String, [String])]
    )
    func `origins are accepted as browsers write them`(list: String, origins: [String]) throws {
        let allowed = try AllowedOrigins(list)
        #expect(allowed.origins == origins)
        for origin in origins { #expect(allowed.contains(Array(origin.utf8)[...])) }
        for other in ["", "null", "*", "https://other.example", origins[0] + "/", origins[0] + ".b"] {
            #expect(!allowed.contains(Array(other.utf8)[...]), "\(other)")
        }
    }

    @Test(arguments: [
        ("", ""), ("*", "*"), ("https://*", "https://*"), ("https://*.example", "https://*.example"), ("null", "null"),
        ("app.example", "app.example"), ("https://", "https://"), ("https://a.example/", "https://a.example/"),
        ("https://a.example/path", "https://a.example/path"), ("https://a.example?x", "https://a.example?x"),
        ("https://a.example#x", "https://a.example#x"), ("https://user@a.example", "https://user@a.example"),
        ("https://a.example:", "https://a.example:"), ("https://a.example:0", "https://a.example:0"),
        ("https://a.example:65536", "https://a.example:65536"), ("https://a.example:080", "https://a.example:080"),
        ("https://a.example:+80", "https://a.example:+80"), ("https://a..example", "https://a..example"),
        ("https://.example", "https://.example"), ("ftp://a.example", "ftp://a.example"), ("https:a", "https:a"),
        ("https://a.example,", ""), ("https://a.example,*", "*"),
        ("https://a.example https://b", "https://a.example https://b"),
        ("https://bücher.example", "https://bücher.example"), ("http://[::1", "http://[::1"),
        ("http://[]", "http://[]"), ("http://[192.0.2.1]", "http://[192.0.2.1]"),
        ("http://[::1]x", "http://[::1]x"), ("http://[x:]", "http://[x:]"), ("http://a\r\nb", "http://a\r\nb"),
    ])
    func `the error names a text that is not an exact origin`(list: String, entry: String) {
        let error = #expect(throws: ListEntryError.self) { try AllowedOrigins(list) }
        #expect(error?.entry == entry)
        #expect(error?.description.contains("'\(entry)'") == true)
    }

    @Test func `by default, no origin is allowed`() {
        #expect(!AllowedOrigins().contains(Array("https://app.example".utf8)[...]))
    }
}
