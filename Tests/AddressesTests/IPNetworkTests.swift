import Addresses
import Testing

struct IPNetworkTests {
    @Test(arguments: [
        ("192.0.2.0/24", "192.0.2.255", "192.0.3.0"), ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("192.0.2.1/32", "::ffff:192.0.2.1", "192.0.2.0"), ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"),
        ("0.0.0.0/0", "255.1.2.3", "::1"), ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
        ("2001:db8::/64", "2001:db8::ffff:0:0:1", "2001:db8:0:1::"), ("2001:db8::8/125", "2001:db8::f", "2001:db8::7"),
        ("::1", "::1", "::2"), ("::1/128", "::1", "::"), ("2001:db8::/65", "2001:db8::1", "2001:db8::8000:0:0:0"),
        ("128.0.0.0/1", "192.0.2.1", "127.0.0.1"), ("::ffff:0:0/96", "1.2.3.4", "::1.2.3.4"),
    ])
    func `a network contains the addresses that begin with its bits`(text: String, inside: String, outside: String)
        throws
    {
        let network = try #require(IPNetwork(text))
        #expect(network.contains(try #require(IPAddress(inside))))
        #expect(!network.contains(try #require(IPAddress(outside))))
    }

    @Test func `a prefix of 0 bits contains all addresses`() throws {
        let network = try #require(IPNetwork("::/0"))
        #expect(network.contains(IPAddress(v4: 0)))
        #expect(network.contains(IPAddress(high: .max, low: .max)))
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/a", "10/8",
        "10.0.0.1/8", "::1/64", "::/129", "10.0.0.0/٨", "10.0.0.0/0008", "10.0.0.0 /8", "unix",
    ])
    func `a text that is not a network gives nil`(text: String) { #expect(IPNetwork(text) == nil) }
}
