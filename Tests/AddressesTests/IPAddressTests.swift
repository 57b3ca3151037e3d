import Addresses
import Testing

struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
        ("::1", "::1"), ("2001:db8::1", "2001:db8::1"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
        ("2001:0db8::0001", "2001:db8::1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1::", "1::"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ("1:0:0:4:0:0:0:8", "1:0:0:4::8"), ("1:0:0:4:0:0:7:8", "1::4:0:0:7:8"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
        ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
        ("1:2:3:4:5:6:7.8.9.10", "1:2:3:4:5:6:708:90a"), ("fe80::1%eth0", "fe80::1"), ("ABCD:EF::", "abcd:ef::"),
    ])
    func `an address has many forms in text, of which one is printed`(text: String, written: String) throws {
        #expect(try #require(IPAddress(text)).description == written)
        #expect(IPAddress(Array(text.utf8)[...]) == IPAddress(text))
        #expect(IPAddress(written) == IPAddress(text))
    }

    @Test(arguments: [
        "", " ", ".", ":", ":::", "1.2.3", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4.", "1.2.3.4.5", "1.2.3.256",
        "1.2.3.01",
        "1.2.3.00", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "1.2.3.+4", "1.2.3.a", "0x1.2.3.4", "1.2.3.4%eth0",
        "1.2.3.99999",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", ":2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", "1::2::3",
        "1:::2",
        "12345::", "g::", "::1.2.3", "::1.2.3.4:5", "1.2.3.4::", "::1.2.3.4.5", "fe80::1%", "%eth0", "1%::", "[::1]",
        "localhost", "١.2.3.4", "::\0", "1:2:3:4:5:6:7:1.2.3.4",
        "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0",
    ])
    func `a text that is not an address gives nil`(text: String) {
        #expect(IPAddress(text) == nil)
        #expect(IPAddress(Array(text.utf8)[...]) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("126.0.0.1", false), ("::", false), ("::2", false), ("::127.0.0.1", false), ("1::1", false),
    ])
    func `loopback addresses are recognised`(text: String, isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("::1", "::"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ])
    func `a limit counts an IPv4 address by itself and an IPv6 address by its first 64 bits`(
        text: String,
        customer: String
    ) throws {
        #expect(try #require(IPAddress(text)).rateLimitPrefix.description == customer)
    }
}
