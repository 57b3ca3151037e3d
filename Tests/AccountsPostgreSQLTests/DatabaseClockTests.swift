@testable import AccountsPostgreSQL

struct DatabaseClockTests {
    let machine = ManualClock()
    let server = Server()
    let clock: DatabaseClock

    /// A database whose clock is ahead of the machine's steady time.
    final class Server: Sendable {
        struct Outage: Error {}
        /// How far it is ahead; `nil` during an outage.
        let lead = LockedValue<Duration?>(.zero)
        /// How long the request and the response take.
        let delays = LockedValue<(Duration, Duration)>((.zero, .zero))
    }

    init() {
        clock = DatabaseClock(machine: machine) { [machine, server] in
            let (request, response) = server.delays.value
            machine.advance(by: request)
            defer { machine.advance(by: response) }
            guard let lead = server.lead.value else { throw Server.Outage() }
            return machine.steady + lead
        }
    }

    /// How far the clock is ahead of the machine's steady time.
    var lead: Duration { .milliseconds(clock.now.milliseconds - machine.steady.milliseconds) }

    @Test(arguments: [Duration.seconds(31 * 60), .seconds(-3600), .milliseconds(3)])
    func `the time is that of the database, whatever the machine's clock shows`(offset: Duration) async throws {
        machine.set(by: offset)
        try await clock.compare()
        #expect(lead == .zero)
        #expect(clock.difference == offset)
        machine.advance(by: .seconds(100))
        #expect(lead == .zero)
    }

    @Test func `setting the machine's clock between comparisons changes only the difference`() async throws {
        try await clock.compare()
        for (duration, isReliable) in [(Duration.seconds(61), false), (.seconds(-1), true), (.seconds(-121), false)] {
            machine.set(by: duration)
            #expect(lead == .zero)
            #expect(clock.isReliable == isReliable)
        }
        machine.set(by: .seconds(61))
        #expect(clock.isReliable)
    }

    @Test func `before the first comparison, the time is the machine's, and not reliable`() {
        machine.set(by: .seconds(-60))
        let clock = DatabaseClock(machine: machine) { throw CancellationError() }
        #expect(clock.now == machine.now)
        #expect(!clock.isReliable)
    }

    @Test(arguments: [
        (Duration.seconds(0), DatabaseClock.Agreement.close), (.seconds(5), .close), (.seconds(-5), .close),
        (.milliseconds(5001), .apart), (.seconds(-60), .apart), (.milliseconds(60_001), .unreliable),
        (.milliseconds(-60_001), .unreliable),
    ])
    func `clocks agree up to five seconds, and are reliable up to a minute`(
        difference: Duration,
        agreement: DatabaseClock.Agreement
    ) async throws {
        try await clock.compare()
        machine.set(by: difference)
        #expect(clock.agreement == agreement)
        #expect(clock.isReliable == (agreement != .unreliable))
    }

    @Test func `the database's time is that in the middle of the round trip`() async throws {
        server.delays.value = (.milliseconds(400), .milliseconds(400))
        #expect(try await clock.compare())
        #expect(lead == .zero)
        server.delays.value = (.milliseconds(1000), .zero)
        #expect(try await clock.compare())
        #expect(lead == .milliseconds(500))
    }

    @Test func `a comparison that takes longer than a second counts only if it is the first`() async throws {
        server.delays.value = (.zero, .milliseconds(1001))
        server.lead.value = .seconds(100)
        #expect(try await clock.compare())
        #expect(lead == .milliseconds(99_500))
        server.lead.value = .seconds(200)
        #expect(try await !clock.compare())
        #expect(lead == .milliseconds(99_500))
    }

    @Test func `while the database is not available, the time continues`() async throws {
        server.lead.value = .seconds(10)
        try await clock.compare()
        server.lead.value = nil
        machine.advance(by: .seconds(60))
        await #expect(throws: Server.Outage.self) { try await clock.compare() }
        #expect(lead == .seconds(10))
        #expect(clock.difference == .seconds(-10))
    }

    @Test func `after a small correction backwards, the time stands still until it is reached`() async throws {
        try await clock.compare()
        let before = clock.now
        server.lead.value = .seconds(-5)
        try await clock.compare()
        #expect(clock.now == before)
        machine.advance(by: .seconds(4))
        #expect(clock.now == before)
        machine.advance(by: .seconds(2))
        #expect(clock.now == before + .seconds(1))
    }

    @Test(arguments: [Duration.milliseconds(-5001), .seconds(-3600), .seconds(2), .seconds(3600)])
    func `after the database's clock was set, the time follows it at once`(step: Duration) async throws {
        try await clock.compare()
        server.lead.value = step
        try await clock.compare()
        #expect(lead == step)
        #expect(clock.isReliable == (step > .seconds(-60) && step < .seconds(60)))
    }

    @Test func `a database returns its own time`() async throws {
        try await withDatabase { database in
            // In 2023, before this test was written.
            let machine = ManualClock(now: .ms(1_700_000_000_000))
            let before = machine.now
            let clock = DatabaseClock(database, machine: machine)
            try await clock.compare()
            #expect(clock.now > before + .seconds(365 * 86_400))
            #expect(try await database.time >= clock.now)
        }
    }
}
