@testable import Accounts

struct FairQueueTests {
    typealias Requester = PasswordHasher.Requester

    func requester(_ address: String?, _ account: String? = nil, isKnown: Bool = false) -> Requester {
        Requester(
            address: address.flatMap { IPAddress($0) },
            account: account.map { AccountKey($0) },
            isKnownDevice: isKnown
        )
    }

    /// A requester of an address in 203.0.113.0/24.
    func requester(_ number: Int, _ account: String? = nil, isKnown: Bool = false) -> Requester {
        requester("203.0.113.\(number)", account, isKnown: isKnown)
    }

    func queue(_ jobs: [(String, Requester)]) -> FairQueue<String> {
        var queue = FairQueue<String>()
        for (job, requester) in jobs { queue.append(job, of: requester) }
        return queue
    }

    func order(_ queue: FairQueue<String>) -> [String] {
        var queue = queue
        var jobs: [String] = []
        while let job = queue.popFirst() { jobs.append(job) }
        #expect(queue.isEmpty)
        return jobs
    }

    // MARK: Turns

    @Test func `the jobs of one requester run in the order of their arrival`() {
        #expect(order(queue((1...5).map { ("\($0)", requester(7, "bruce")) })) == ["1", "2", "3", "4", "5"])
    }

    @Test func `addresses take turns, and accounts take turns within their address`() {
        let flood = (1...4).map { ("a\($0)", requester(7, "a")) }
        let others = [
            ("b1", requester(7, "b")), ("c1", requester(8, "c")),
            ("c2", requester(8, "c")), ("sign-up", requester(8)),
        ]
        #expect(order(queue(flood + others)) == ["a1", "c1", "b1", "sign-up", "a2", "c2", "a3", "a4"])
    }

    @Test func `a later requester gets a turn before a flood continues`() {
        var queue = queue((1...9).map { ("a\($0)", requester(7, "a")) })
        #expect(queue.popFirst() == "a1")
        queue.append("b1", of: requester(8, "b"))
        #expect(queue.popFirst() == "a2")
        #expect(queue.popFirst() == "b1")
        #expect(queue.popFirst() == "a3")
    }

    @Test func `IPv6 addresses take turns by their first 64 bits, and accounts by the keys of their names`() {
        let jobs = [
            ("a1", requester("2001:db8::1", "Ada")), ("a2", requester("2001:db8::2", "ADA")),
            ("a3", requester("2001:db8::ffff", "ada")), ("b1", requester("2001:db8:1::1", "ada")),
            ("n1", requester(nil)), ("n2", requester("none")),
        ]
        #expect(order(queue(jobs)) == ["a1", "b1", "n1", "a2", "n2", "a3"])
    }

    @Test func `a /56 of IPv6 has one turn in its /48, which has one turn`() {
        let flood = (0..<4).map { ("a\($0)", requester("2001:db8:0:\($0)::1", "\($0)")) }
        let others = [
            ("b", requester("2001:db8:0:100::1", "b")), ("c", requester("2001:db8:1::1", "c")),
            ("d", requester(7, "d")),
        ]
        #expect(order(queue(flood + others)) == ["a0", "c", "d", "b", "a1", "a2", "a3"])
    }

    @Test func `known devices and other clients take turns`() {
        let flood = (1...4).map { ("a\($0)", requester($0, "a")) }
        let others = (1...2).map { ("b\($0)", requester(9, "b", isKnown: true)) }
        #expect(order(queue(flood + others)) == ["a1", "b1", "a2", "b2", "a3", "a4"])
    }

    // MARK: Making room

    @Test(arguments: [("203.0.113.9", false), ("2001:db8:0:100::1", false), ("2001:db8:0:1::1", true)])
    func `a flood from 100 networks of a /56 makes room for others`(address: String, isKnown: Bool) {
        var queue = queue((0..<100).map { ("a\($0)", requester("2001:db8:0:\(String($0, radix: 16))::1", "a")) })
        #expect(queue.removeNewest(makingRoomFor: requester("2001:db8:0:ff::1", "b")) == nil)
        #expect(queue.removeNewest(makingRoomFor: requester(address, "b", isKnown: isKnown)) != nil)
        #expect(queue.count == 99)
    }

    @Test func `the newest job of the address with the most jobs makes room`() {
        var queue = queue((1...3).map { ("a\($0)", requester(7, "a")) } + [("b1", requester(8, "b"))])
        #expect(queue.makeRoom(for: 9, "c") == "a3")
        #expect(queue.makeRoom(for: 8, "d") == nil)
        #expect(queue.makeRoom(for: 9, "a") == "a2")
        #expect(queue.makeRoom(for: 9, "a") == nil)
        #expect(order(queue) == ["a1", "b1"])
    }

    @Test func `a flood of many names from one address makes room for another address`() {
        var queue = queue((1...4).map { ("a\($0)", requester(7, "\($0)")) })
        #expect(queue.makeRoom(for: 7, "5") == nil)
        #expect(queue.makeRoom(for: 8, "1") != nil)
        #expect(queue.count == 3)
    }

    @Test func `within an address the account with the most jobs makes room`() {
        var queue = queue((1...3).map { ("a\($0)", requester(7, "a")) } + [("b1", requester(7, "b"))])
        #expect(queue.makeRoom(for: 7, "a") == nil)
        #expect(queue.makeRoom(for: 7, "c") == "a3")
        #expect(queue.makeRoom(for: 7, "b") == nil)
        #expect(queue.makeRoom(for: 8, "a") == "a2")
    }

    @Test func `no job makes room in an empty queue`() {
        var queue = queue([])
        #expect(queue.makeRoom(for: 7, "a") == nil)
        #expect(queue.popFirst() == nil)
    }

    // MARK: Removing

    @Test func `a removed job does not run, and the order of the others stays`() {
        let jobs = [
            ("a1", requester(7, "a")), ("a2", requester(7, "a")),
            ("b1", requester(8, "b")), ("c1", requester(9, "c")),
        ]
        var queue = queue(jobs)
        #expect(queue.remove { $0 == "b1" } == "b1")
        #expect(queue.remove { $0 == "b1" } == nil)
        #expect(queue.remove { $0 == "a1" } == "a1")
        #expect(queue.count == 2)
        #expect(order(queue) == ["a2", "c1"])
    }
}

extension FairQueue<String> {
    /// Removes the job that makes room for one of an address in 203.0.113.0/24.
    fileprivate mutating func makeRoom(for number: Int, _ account: String) -> String? {
        removeNewest(makingRoomFor: FairQueueTests().requester(number, account))
    }
}
