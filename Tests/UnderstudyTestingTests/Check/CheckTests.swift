import Foundation
import Synchronization

/// What a check of properties searches, and what fails it.
struct CheckTests {
    /// Seats that several customers take, each with its customer.
    final class Seats: Sendable {
        let seats = Mutex<[String: String]>([:])
        let isFaulty: Bool

        init(isFaulty: Bool) { self.isFaulty = isFaulty }

        var all: [String: String] { seats.withLock { $0 } }

        func take(_ seat: String, for customer: String) -> Bool {
            seats.withLock { seats in
                if seats[seat] != nil, !isFaulty { return false }
                seats[seat] = customer
                return true
            }
        }
    }

    /// Shows the seat that the customer has taken.
    struct SeatPage: Script {
        static let seat = Field<String>("seat")
        static let taken = Output<String?>("taken")
        static let events: EventTable<Scripted<SeatPage>> = [
            .default("seatChosen", reads: seat, gives: [.renders(taken)], examples: [["seat": "1"], ["seat": "2"]]) {
                guard $0.state == nil, $0.seats.take($1, for: $0.customer) else { return }
                $0.state = $1
                $0.render(taken, $1)
            }
        ]
        static let initial = String?.none

        let seats: Seats
        let customer: String
    }

    static func pages(isFaulty: Bool) -> CheckedPages {
        let seats = Seats(isFaulty: isFaulty)
        return CheckedPages([Page("seats") { Scripted(SeatPage(seats: seats, customer: $0.sessionKey)) }]) { seats.all }
    }

    static let noSharedSeat = Property.never("two customers have one seat") { situation in
        let seats = situation.sessions.compactMap { $0.rendered("seats")["taken"]?.string }
        return Set(seats).count < seats.count
    }

    @Test func `a property that is true in all situations passes, and the search is closed`() async throws {
        let result = try await check(
            Self.noSharedSeat,
            .always("no one has a seat that is not stored") { situation in
                situation.sessions.allSatisfy { session in
                    session.rendered("seats")["taken"]?.string.map { situation.stored.object?[$0] != nil } ?? true
                }
            },
            .sometimes("both seats are taken") { $0.stored.object?.count == 2 },
            sessions: 2
        ) { Self.pages(isFaulty: false) }
        #expect(result.situations == 11)
        #expect(result.isClosed)
    }

    @Test func `situations that differ only in the order of members are one`() async throws {
        let result = try await check(.sometimes("always") { _ in true }) {
            CheckedPages([Page("bell") { _ in BellController() }]) {
                Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", $0) }.shuffled())
            }
        }
        #expect(result.situations == 2)
    }

    @Test func `the shortest counterexample is a rehearsal of several sessions`() async throws {
        try await withKnownIssue {
            try await check(Self.noSharedSeat, sessions: 2) { Self.pages(isFaulty: true) }
        } matching: { issue in
            issue.comments.map(\.rawValue).joined().contains(
                """
                "two customers have one seat" happens. After 2 steps:
                    try await screens1["seats"].send("seatChosen", ["seat": "1"])
                    try await screens2["seats"].send("seatChosen", ["seat": "1"])
                """
            )
        }
    }

    @Test func `something that never happens fails`() async throws {
        try await withKnownIssue {
            try await check(.sometimes("three seats are taken") { $0.stored.object?.count == 3 }, sessions: 2) {
                Self.pages(isFaulty: false)
            }
        } matching: { issue in
            issue.comments.map(\.rawValue).joined().contains(
                #""three seats are taken" never happens: no sequence of the examples leads there."#
            )
        }
    }

    @Test func `a search that reaches its limit is not closed`() async throws {
        let result = try await check(
            .never("the sum is 6") { $0.sessions.first?.rendered("sum")["sum"] == 6 },
            depth: 2
        ) { CheckedPages([Page("sum", SumPage())]) }
        #expect(!result.isClosed)
    }

    @Test func `time passes until the next timer, and by the given durations`() async throws {
        func pages() -> CheckedPages {
            let clock = ManualClock()
            return CheckedPages([Page("egg") { Scripted(EggPage(clock: $0.recorded(clock))) }], clock: clock)
        }
        let result = try await check(
            .sometimes("the egg is done") { $0.sessions.first?.rendered("egg")["isDone"] == true },
            .never("the egg is eaten raw") {
                $0.sessions.first?.commands.contains(.render("eaten", true)) == true
                    && $0.sessions.first?.rendered("egg")["isDone"] != true
            },
            durations: [.seconds(100)]
        ) { pages() }
        #expect(result.isClosed)
    }

    /// Counts two kinds of events, of which one has no effect.
    struct SumPage: Script {
        static let sum = Output<Int>("sum")
        static let events: EventTable<Scripted<SumPage>> = [
            .default("increased", gives: [.renders(sum)]) {
                $0.state.sum += 1
                $0.render(sum, $0.state.sum)
            },
            .event("looked") { $0.state.looks += 1 },
        ]
        static let initial = State()

        struct State: Codable, Sendable {
            var sum = 0
            var looks = 0
        }
    }

    /// Is done three minutes after it was put into the water.
    struct EggPage: Script {
        static let isDone = Output<Bool>("isDone")
        static let eaten = Output<Bool>("eaten")
        static let events: EventTable<Scripted<EggPage>> = [
            .default("boiled") {
                if !$0.state.isDone, $0.state.done == nil { $0.state.done = $0.clock.now + .seconds(180) }
            },
            .event("eaten", gives: [.renders(eaten)]) { if $0.state.isDone { $0.render(eaten, true) } },
            .wake("timerRang", at: { $0.state.done }, gives: [.renders(isDone)]) {
                $0.state = State(done: nil, isDone: true)
                $0.render(isDone, true)
            },
        ]
        static let initial = State()

        struct State: Codable, Sendable {
            var done: Timestamp?
            var isDone = false
        }

        let clock: any WallClock
    }
}
