import BusinessLogic
import Testing
import Understudy
import UnderstudyTesting

@testable import booking

@Suite struct BookingTests {
    private let topics = Topics()
    private let clock = ManualClock()
    private let slots: Slots

    init() {
        slots = Slots(topics: topics, clock: clock)
    }

    private static let day: Day = "2027-03-01"

    private var pages: [Page] { bookingPages(slots: slots, clock: clock) }

    /// The slots of the day: all free but the first.
    private func slots(_ first: Availability) -> [Slot] {
        SlotTime.allCases.map { Slot(time: $0, availability: $0 == .nine ? first : .free) }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a slot that another customer holds and books disappears at once`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages, topics: topics, clock: clock) { screens in
            let screen = screens["booking"]
            try await screen.send("dayChosen", ["day": "2027-03-01"])
            screen.expect(BookingController.slots, slots(.free))
            #expect(slots.hold(.nine, on: Self.day, for: "other") == clock.now + .seconds(120))
            try await screens.publish(.slots(on: "2027-05-01"))
            screen.expect(BookingController.slots, slots(.held))
            #expect(slots.book(.nine, on: Self.day, for: "other"))
            try await screens.publish(.slots(on: "2027-05-01"))
            screen.expect(BookingController.slots, slots(.booked))
        }
    }

    @Test func `two customers never hold the same slot`() async throws {
        let result = try await check(
            .never("two customers hold the same slot") { situation in
                situation.sessions.count { $0.rendered("booking")["held"] == "09:00" } > 1
            },
            .sometimes("a slot is booked") { situation in
                situation.sessions.contains { $0.rendered("booking")["message"]?.string == Message.slotBooked.text }
            },
            sessions: 2
        ) {
            let (clock, topics) = (ManualClock(), Topics())
            let slots = Slots(topics: topics, clock: clock)
            return CheckedPages(bookingPages(slots: slots, clock: clock), clock: clock, topics: topics) {
                slots.slots(on: Self.day, for: "other")
            }
        }
        #expect(result.isClosed)
    }

    @Test(arguments: Rehearsal.allCases)
    func `a customer holds a slot, and books it`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages, topics: topics, clock: clock) { screens in
            let screen = screens["booking"]
            try await screen.send("slotChosen", ["day": "2027-03-01", "time": "09:00"])
            screen.expect(
                .render(BookingController.held, .nine),
                .render(BookingController.message, nil),
                .render(BookingController.slots, slots(.yours))
            )
            // The controller follows the day that it has changed itself.
            try await screens.advance(by: .zero)
            screen.expect(BookingController.slots, slots(.yours))
            #expect(slots.hold(.nine, on: Self.day, for: "other") == nil)
            try await screen.send("bookButtonPressed")
            screen.expect(
                .render(BookingController.held, nil),
                .render(BookingController.message, .slotBooked),
                .render(BookingController.slots, slots(.yours))
            )
            try await screens.advance(by: .seconds(1000))
            screen.expect(BookingController.slots, slots(.yours))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a slot that a customer holds for two minutes is free again`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages, topics: topics, clock: clock) { screens in
            let screen = screens["booking"]
            try await screen.send("slotChosen", ["day": "2027-03-01", "time": "09:00"])
            screen.exhaustivity = .off
            try await screens.advance(by: .seconds(120))
            screen.expect(
                .render(BookingController.held, nil),
                .render(BookingController.message, .holdEnded),
                .render(BookingController.slots, slots(.free))
            )
            try await screen.send("bookButtonPressed")
            screen.expect(.render(BookingController.message, .holdEnded))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a slot that a customer holds is free as soon as the session ends`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages, topics: topics, clock: clock) { screens in
            let screen = screens["booking"]
            screen.exhaustivity = .off
            try await screen.send("slotChosen", ["day": "2027-03-01", "time": "09:00"])
            screen.expect(.render(BookingController.slots, slots(.yours)))
            try await screens.endSession()
            try await screen.send("dayChosen", ["day": "2027-03-01"])
            screen.expect(.render(BookingController.slots, slots(.free)))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a slot that a customer has booked stays booked when the session ends`(rehearsal: Rehearsal) async throws {
        try await rehearsal.run(pages, topics: topics, clock: clock) { screens in
            let screen = screens["booking"]
            screen.exhaustivity = .off
            try await screen.send("slotChosen", ["day": "2027-03-01", "time": "09:00"])
            try await screen.send("bookButtonPressed")
            try await screens.endSession()
            try await screen.send("dayChosen", ["day": "2027-03-01"])
            screen.expect(.render(BookingController.slots, slots(.booked)))
        }
    }

    @Test(arguments: Rehearsal.allCases)
    func `a slot that another customer has held for two minutes is free again`(rehearsal: Rehearsal) async throws {
        #expect(slots.hold(.nine, on: Self.day, for: "other") != nil)
        try await rehearsal.run(pages, topics: topics, clock: clock) { screens in
            let screen = screens["booking"]
            try await screen.send("slotChosen", ["day": "2027-03-01", "time": "09:00"])
            screen.expect(
                .render(BookingController.message, .slotTaken),
                .render(BookingController.slots, slots(.held))
            )
            try await screens.advance(by: .seconds(120))
            screen.expect(BookingController.slots, slots(.free))
        }
    }
}
