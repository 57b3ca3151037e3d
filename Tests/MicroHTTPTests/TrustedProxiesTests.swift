@testable import MicroHTTP

struct TrustedProxiesTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.7", "10.0.0.7", true),
        ("10.0.0.7, 2001:db8::/32", "2001:db8::1", true), ("10.0.0.7 , ::1", "::1", true), ("unix", "10.0.0.7", false),
        ("unix,127.0.0.1", "127.0.0.1", true), ("unix", nil, true), ("10.0.0.7,unix", nil, true), ("::/0", nil, false),
        ("fe80::/10", "fe80::1%eth0", true),
    ])
    func `a list can contain addresses, networks and unix`(list: String, peer: String?, isTrusted: Bool) throws {
        #expect(try TrustedProxies(list).contains(peer: peer.flatMap { IPAddress($0) }) == isTrusted)
    }

    @Test func `a proxy that is not in the list is not trusted`() {
        for peer in ["127.0.0.1", "::1", nil] {
            #expect(!TrustedProxies().contains(peer: peer.flatMap { IPAddress($0) }))
        }
    }

    @Test(arguments: [
        ("", ""), ("10.0.0.7,", ""), (",", ""), ("localhost", "localhost"), ("10.0.0.7;10.0.0.8", "10.0.0.7;10.0.0.8"),
        ("10.0.0.1/8", "10.0.0.1/8"), ("unix,10.0.0.0/33", "10.0.0.0/33"), ("Unix", "Unix"), ("*", "*"),
    ])
    func `the error names the entry that is not a proxy`(list: String, entry: String) {
        let error = #expect(throws: ListEntryError.self) { try TrustedProxies(list) }
        #expect(error?.entry == entry)
        #expect(error?.description.contains("'\(entry)'") == true)
    }
}
