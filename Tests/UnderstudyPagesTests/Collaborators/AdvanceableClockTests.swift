struct AdvanceableClockTests {
    let machine = ManualClock()
    let clock: AdvanceableClock

    init() { clock = AdvanceableClock(machine) }

    @Test func `the clock shows the time of the other clock, plus what it was advanced by`() {
        #expect(clock.now == machine.now)
        #expect(clock.advance(by: .seconds(90)))
        machine.set(by: .seconds(-3600))
        machine.advance(by: .milliseconds(1))
        #expect(clock.now == machine.now + .seconds(90))
        #expect(clock.steady == machine.steady + .seconds(90))
        #expect(clock.steady.milliseconds(since: clock.now) == 3_600_000)
        #expect(clock.advanced == .seconds(90))
        clock.reset()
        #expect(clock.now == machine.now)
        #expect(clock.steady == machine.steady)
    }

    @Test func `the clock is never set back, and advances by at most ten years in all`() {
        #expect(clock.advance(by: .seconds(-60)))
        #expect(clock.advanced == .zero)
        #expect(clock.advance(by: AdvanceableClock.maximum - .milliseconds(1)))
        for duration: Duration in [.milliseconds(2), AdvanceableClock.maximum, .seconds(Int64.max)] {
            #expect(!clock.advance(by: duration))
        }
        #expect(clock.advance(by: .milliseconds(1)))
        #expect(clock.advanced == AdvanceableClock.maximum)
    }

    @Test func `each action runs after each jump of the time, and sees the new time`() {
        let times = LockedValue<[Timestamp]>([])
        for _ in 1...2 { clock.onAdvance { [clock] in times.append(clock.now) } }
        let start = machine.now
        #expect(clock.advance(by: .seconds(1)))
        #expect(!clock.advance(by: AdvanceableClock.maximum))
        #expect(clock.advance(by: .seconds(2)))
        clock.reset()
        #expect(times.value == [1, 1, 3, 3, 0, 0].map { start + .seconds($0) })
    }

    @Test func `advances at the same time add up`() async throws {
        try await concurrently(8) { [clock] _ in
            for _ in 0..<500 { #expect(clock.advance(by: .milliseconds(1))) }
        }
        #expect(clock.advanced == .seconds(4))
    }

    @Test func `the clock is as reliable as the other one`() {
        struct UnreliableClock: WallClock {
            let now = Timestamp.ms(0)
            let isReliable = false
        }
        #expect(clock.isReliable)
        #expect(!AdvanceableClock(UnreliableClock()).isReliable)
    }
}
