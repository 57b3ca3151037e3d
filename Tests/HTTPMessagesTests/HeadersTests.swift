struct HeadersTests {
    let headers: Headers = [
        "Host": "example.org",
        "ACCEPT": "text/html",
        "accept": "text/plain",
        "X-Empty": "",
        "Accept": "*/*",
    ]

    @Test(
        arguments: [
            ("host", "example.org"), ("HOST", "example.org"), ("x-empty", ""), ("accept", "text/html"), ("hos", nil),
            ("hostt", nil), ("ost", nil), ("cookie", nil),
        ] as [(HeaderName, String?)]
    )
    func `the first value of a name is found, whatever its case, and by no part of it`(name: HeaderName, value: String?)
    {
        #expect(headers[name] == value)
        #expect(headers.first(name).map(Array.init) == value.map { Array($0.utf8) })
    }

    @Test func `only letters are compared without regard to case`() {
        // The bytes of each pair differ in the bit that distinguishes upper and lower case of letters.
        #expect(headers(("@", "a"))["`"] == nil)
        #expect((["^": "a"] as Headers)["~"] == nil)
        #expect((["A-Z_0": "a"] as Headers)["a-z_0"] == "a")
    }

    @Test func `all values of a name are in order`() {
        #expect(
            headers.values("accept").map { String(decoding: $0, as: UTF8.self) } == ["text/html", "text/plain", "*/*"]
        )
        #expect((["accept", "host", "cookie"] as [HeaderName]).map { headers.count(of: $0) } == [3, 1, 0])
        #expect(Array(headers.values("cookie")).isEmpty)
    }

    @Test func `all fields are in order, with names in lower case`() {
        let all = headers.all.map {
            String(decoding: $0.name, as: UTF8.self) + "=" + String(decoding: $0.value, as: UTF8.self)
        }
        #expect(all == ["host=example.org", "accept=text/html", "accept=text/plain", "x-empty=", "accept=*/*"])
        #expect(headers.count == 5)
    }

    @Test func `the size is the number of bytes in all names and values`() {
        #expect(Headers().size == 0)
        #expect((["Host": "a", "X": "bcd"] as Headers).size == 9)
        #expect((["X": "ü"] as Headers).size == 3)
    }

    @Test func `bytes that are not UTF-8 are kept as bytes and replaced in text`() {
        let headers = headers(name: Array("x".utf8), value: [0x61, 0xFF])
        #expect(headers.first("x").map(Array.init) == [0x61, 0xFF])
        #expect(headers["x"] == "a\u{FFFD}")
    }

    @Test(arguments: [1, 2, 8, 11, 16, 25])
    func `a name may contain every byte of a token, and another byte is found anywhere`(size: Int) {
        let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max {
            for offset in 0..<size {
                var name = [UInt8](repeating: UInt8(ascii: "A"), count: size)
                name[offset] = byte
                #expect(
                    headers(name: name, value: []).areWellFormed == token.contains(byte),
                    "byte \(byte) at \(offset)"
                )
            }
        }
    }

    @Test(arguments: ["X-Request-ID", "Sec-Fetch-Site", "A1-_^~|AZ-az", "ABCDEFGH", "Content_Type9Z"])
    func `a long name is stored in lower case`(name: String) {
        let all = headers(name: Array(name.utf8), value: []).all
        #expect(all.map { String(decoding: $0.name, as: UTF8.self) } == [name.lowercased()])
    }

    @Test(arguments: [1, 7, 8, 9, 16, 25], [0x20, 0xFF, 0x7E, 0x80, 0x09] as [UInt8])
    func `a control byte except the tab is found anywhere in a value`(size: Int, filler: UInt8) {
        for byte in UInt8.min...UInt8.max {
            let isAllowed = byte >= 0x20 && byte != 0x7F || byte == 0x09
            for offset in 0..<size {
                var value = [UInt8](repeating: filler, count: size)
                value[offset] = byte
                #expect(headers(name: [0x61], value: value).areWellFormed == isAllowed, "byte \(byte) at \(offset)")
            }
        }
    }

    @Test func `a first value is compared byte by byte`() {
        #expect(headers.first("accept", is: "text/html"))
        // Only the first counts.
        for other in ["text/plain", "text/htm", "text/htmll", "Text/html"] as [StaticString] {
            #expect(!headers.first("accept", is: other), "\(other)")
        }
        #expect(headers.first("x-empty", is: ""))
        #expect(!headers.first("cookie", is: ""))
    }

    @Test func `reused headers are empty`() {
        var headers = self.headers(("a b", "c"))
        headers.removeAll()
        #expect(headers.count == 0)
        #expect(headers.size == 0)
        #expect(headers.areWellFormed)
    }

    @Test func `one malformed field makes the headers malformed`() {
        for (name, value) in [("c d", "e"), ("", "e"), ("c", "\u{1}")] {
            #expect(!headers(("a", "b"), (name, value), ("f", "g")).areWellFormed, "\(name): \(value)")
        }
        #expect(headers(("a", "b"), ("c", ""), ("f", "g")).areWellFormed)
        #expect(Headers().areWellFormed)
    }

    func headers(name: [UInt8], value: [UInt8]) -> Headers {
        var headers = Headers()
        headers.append(name: name, value: value)
        return headers
    }

    /// Header fields as a request may contain them, with names that are not tokens.
    func headers(_ fields: (name: String, value: String)...) -> Headers {
        var headers = Headers()
        for (name, value) in fields { headers.append(name: Array(name.utf8), value: Array(value.utf8)) }
        return headers
    }
}
