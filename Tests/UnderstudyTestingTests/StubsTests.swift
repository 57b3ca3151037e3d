struct StubsTests {
    @Test func `a stub identity has the given client and the assigned user`() {
        let identity = StubIdentity(ClientContext(address: IPAddress("192.0.2.1")))
        #expect(identity.user == nil)
        identity.user = User(username: "batman")
        #expect(identity.client == ClientContext(user: User(username: "batman"), address: IPAddress("192.0.2.1")))
    }

    @Test func `setting a manual clock does not change its steady time`() {
        let clock = ManualClock(now: .ms(5_000))
        clock.set(by: .seconds(-3))
        clock.advance(by: .seconds(1))
        #expect(clock.now == .ms(3_000))
        #expect(clock.steady == .ms(6_000))
    }

    @Test func `a random source returns the given numbers, then those of its seed`() {
        let random = SequenceRandom([5, .max], seed: 1_234_567)
        #expect((1...3).map { _ in random.next() } == [5, .max, 6_457_827_717_110_365_317])
        random.give(7, 8)
        random.give(9)
        #expect((1...4).map { _ in random.next() } == [7, 8, 9, 3_203_168_211_198_807_973])
    }

    @Test(
        arguments: [
            0...0, 7...7, 0...1, 1...6, -3...3, 1...1000, 0...(1 << 32), 1 - (1 << 53)...1 << 53, 0...(.max),
            -1...(.max),
            .min...(-1), .min...0, .min...(.max - 1), .min + 1...(.max), .min...(.max),
        ] as [ClosedRange<Int>]
    )
    func `a random source gives the number to draw from a range`(range: ClosedRange<Int>) {
        let (low, high) = (range.lowerBound, range.upperBound)
        let middle = low / 2 + high / 2
        let numbers = [low, high, middle, min(middle + 1, high), max(high - 1, low), low].filter(range.contains)
        var random = SequenceRandom()
        for number in numbers { random.give(number, in: range) }
        #expect(numbers.map { _ in Int.random(in: range, using: &random) } == numbers)
        #expect(random.next() == SequenceRandom().next())
    }

    @Test func `the element with the given index is drawn`() {
        var random = SequenceRandom()
        random.give(2, in: 0...4)
        random.give(0, in: 0...4)
        #expect("swift".randomElement(using: &random) == "i")
        #expect([1, 2, 3, 4, 5].randomElement(using: &random) == 1)
    }

    @Test func `a number out of its range stops the program`() async {
        await #expect(processExitsWith: .failure) { SequenceRandom().give(7, in: 1...6) }
    }
}
