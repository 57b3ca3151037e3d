@testable import Understudy

struct AllowedOriginsTests {
    @Test(
        arguments: [
            ("https://app.example", nil), ("http://localhost:3000", nil),
            ("https://a.example,http://b.example", ["https://a.example", "http://b.example"]),
            (" https://a.example , https://b.example ", ["https://a.example", "https://b.example"]),
            ("HTTPS://App.Example", ["https://app.example"]), ("https://a.example:443", ["https://a.example"]),
            ("http://a.example:80", ["http://a.example"]), ("http://a.example:443", nil), ("http://[::1]:8080", nil),
            ("http://127.0.0.1", nil), ("https://xn--bcher-kva.example", nil), ("http://a_b-c", nil),
        ] as [(String, [String]?)]
    )
    func `origins are accepted as browsers write them`(list: String, changed: [String]?) throws {
        let allowed = try AllowedOrigins(list)
        let origins = changed ?? [list]
        #expect(allowed.origins == origins)
        for origin in origins { #expect(allowed.contains(origin.bytes[...])) }
        for other in ["", "null", "*", "https://other.example", origins[0] + "/", origins[0] + ".b"] {
            #expect(!allowed.contains(other.bytes[...]), "\(other)")
        }
    }

    /// The last entry of each list is no origin.
    @Test(arguments: [
        "", "*", "https://*", "https://*.example", "null", "app.example", "https://", "https://a.example/",
        "https://a.example/path", "https://a.example?x", "https://a.example#x", "https://user@a.example",
        "https://a.example:", "https://a.example:0", "https://a.example:65536", "https://a.example:080",
        "https://a.example:+80", "https://a..example", "https://.example", "ftp://a.example", "https:a",
        "https://a.example,", "https://a.example,*", "https://a.example https://b", "https://bücher.example",
        "http://[::1", "http://[]", "http://[192.0.2.1]", "http://[::1]x", "http://[x:]", "http://a\r\nb",
    ])
    func `the error names a text that is not an exact origin`(list: String) throws {
        let error = try #require(throws: ListEntryError.self) { try AllowedOrigins(list) }
        let entry = list.split(separator: ",", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        #expect(error.entry == entry)
        #expect(error.description.contains("'\(entry)'"))
    }
}
