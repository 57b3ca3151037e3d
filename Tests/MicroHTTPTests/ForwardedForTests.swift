@testable import MicroHTTP

/// The proxy at the other end is 10.0.0.1; 10.0.0.0/8 and 2001:db8:aa::/48 are trusted.
@Suite(.fiveMinutes) struct ForwardedForTests {
    func client(_ headers: Headers) throws -> String? {
        let proxies = try TrustedProxies("10.0.0.0/8, 2001:db8:aa::/48, unix")
        return proxies.client(behind: IPAddress("10.0.0.1"), headers)?.description
    }

    @Test(arguments: [
        // Only the client, in each notation.
        ("192.0.2.1", "192.0.2.1"), (" 192.0.2.1\t", "192.0.2.1"), ("192.0.2.1:4711", "192.0.2.1"),
        ("2001:DB8::0001", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:4711", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        // The last address that is not a trusted proxy.
        ("192.0.2.9, 192.0.2.1", "192.0.2.1"), ("192.0.2.9,192.0.2.1,10.0.0.2", "192.0.2.1"),
        ("192.0.2.9, 192.0.2.1, 2001:db8:aa::1, 10.0.0.2", "192.0.2.1"), ("127.0.0.1, 192.0.2.1", "192.0.2.1"),
        ("unknown, 192.0.2.1, 10.0.0.2", "192.0.2.1"), ("\"192.0.2.9, 192.0.2.1", "192.0.2.1"),
        (",192.0.2.1,, 10.0.0.2, ,", "192.0.2.1"),
        // Only trusted proxies: the first one in the list sent the request.
        ("10.0.0.3", "10.0.0.3"), ("10.0.0.4, 10.0.0.3, 10.0.0.2", "10.0.0.4"),
        // An element that is not an address ends the reading.
        ("192.0.2.1, junk, 10.0.0.2", "10.0.0.2"), ("192.0.2.1, 192.0.2.256, 10.0.0.3, 10.0.0.2", "10.0.0.3"),
    ])
    func `X-Forwarded-For is read from its end`(value: String, address: String) throws {
        #expect(try client(["X-Forwarded-For": value]) == address)
    }

    @Test(arguments: [
        "", ",", "unknown", "_hidden", "localhost", "192.0.2.1, junk", "192.0.2.1 10.0.0.2", "192.0.2.1:",
        "192.0.2.1:123456", "192.0.2.1:80:80", "[2001:db8::1", "2001:db8::1]", "[2001:db8::1]80", "[2001:db8::1]:",
        "192.0.2.1:_port", "[192.0.2.1]", "[]", "[fe80::1%eth0]", "for=192.0.2.1", "\"192.0.2.1\"", "192.0.2.0/24",
    ])
    func `if the last element is not an address, the client address is the proxy's`(value: String) throws {
        #expect(try client(["X-Forwarded-For": value]) == "10.0.0.1")
    }

    @Test(
        arguments: [
            // Several headers of one name are one list.
            (["X-Forwarded-For": "192.0.2.9", "x-forwarded-for": "192.0.2.1,10.0.0.2"], "192.0.2.1"),
            (["X-Forwarded-For": "192.0.2.1", "A": "b", "X-Forwarded-For": "10.0.0.2"], "192.0.2.1"),
            (["X-Forwarded-For": "192.0.2.1", "X-Forwarded-For": "junk"], "10.0.0.1"),
            // A client's own Forwarded is ignored, which proxies pass on.
            (["Forwarded": "for=192.0.2.9"], "10.0.0.1"),
            (["Forwarded": "for=192.0.2.9", "X-Forwarded-For": "192.0.2.1"], "192.0.2.1"),
            (["X-Forwarded-For": "junk", "Forwarded": "for=192.0.2.9"], "10.0.0.1"), ([:], "10.0.0.1"),
        ] as [(Headers, String)]
    )
    func `all headers X-Forwarded-For are one list, and no other header is read`(headers: Headers, address: String)
        throws
    {
        #expect(try client(headers) == address)
    }

    @Test func `a proxy on a Unix domain socket has no address`() throws {
        #expect(try TrustedProxies("unix").client(behind: nil, Headers()) == nil)
        let address = try TrustedProxies("unix").client(behind: nil, ["X-Forwarded-For": "192.0.2.1"])
        #expect(address == IPAddress("192.0.2.1"))
    }

    @Test(arguments: [("127.0.0.1", "192.0.2.1", true), ("127.0.0.2", "127.0.0.1", false)])
    func `a server reads the header of trusted proxies only, and marks all of their requests as forwarded`(
        trusted: String,
        address: String,
        isForwarded: Bool
    ) async throws {
        let responder = StubResponder { .text("\($0.clientAddress?.description ?? "none") \($0.isForwarded)") }
        let proxies = try TrustedProxies(trusted)
        try await withClient(responder, configure: { $0.trustedProxies = proxies }) { _, client async throws in
            let forwarded: KeyValuePairs = ["X-Forwarded-For": "192.0.2.9, 192.0.2.1"]
            let loopback: KeyValuePairs = ["X-Forwarded-For": "127.0.0.1"]
            // The next request of the same connection comes from another client, or names none.
            for _ in 1...2 {
                #expect(try await client.get(headers: forwarded).text == "\(address) \(isForwarded)")
                #expect(try await client.get().text == "127.0.0.1 \(isForwarded)")
                #expect(try await client.get(headers: loopback).text == "127.0.0.1 \(isForwarded)")
            }
        }
        #expect(Request(.get, "/", clientAddress: IPAddress("127.0.0.1")).isForwarded == false)
    }

    /// Values of 6,000 bytes, for which a reader that goes back over its input would need quadratic time.
    @Test(arguments: ["\u{301}".repeated(3000), ":".repeated(6000), "[".repeated(6000)])
    func `a long value that is not valid ends the reading`(value: String) throws {
        #expect(try client(["X-Forwarded-For": "192.0.2.1, \(value)x, 10.0.0.2"]) == "10.0.0.2")
    }

    @Test(arguments: [",", " ,", ",\t"]) func `a list of many empty elements is read to its end`(element: String) throws
    {
        let commas = "," + element.repeated(6000 / element.utf8.count) + ","
        #expect(try client(["X-Forwarded-For": "192.0.2.1\(commas)10.0.0.2"]) == "192.0.2.1")
    }
}
