import BusinessLogic

/// Shows the slots of a day, holds one of them for two minutes, and books it. What other customers do shows at once.
final class BookingController: BusinessLogicController {
    static let day = Field<Day>("day", in: "2027-01-01"..."2027-12-31")
    static let time = Field<SlotTime>("time")
    static let slots = Output<[Slot]>("slots")
    static let held = Output<SlotTime?>("held", description: "The slot that the customer holds.")
    static let message = Output<Message?>("message")

    static let events: EventTable<BookingController> = [
        .default("dayChosen", reads: day, gives: [.renders(slots)], examples: [["day": "2027-03-01"]]) {
            $0.state.day = $1
            $0.show()
        },
        .event(
            "slotChosen",
            reads: day,
            time,
            gives: [.renders(slots), .renders(held), .renders(message, .slotTaken)],
            examples: [["day": "2027-03-01", "time": "09:00"]]
        ) { $0.hold($2, on: $1) },
        .event(
            "bookButtonPressed",
            gives: [.renders(slots), .renders(held), .renders(message, .slotBooked, .holdEnded)]
        ) { $0.book() },
        .update("slotsChanged", on: { $0.state.day.map { [.slots(on: $0)] } ?? [] }, gives: [.renders(slots)]) {
            $0.show()
        },
        .wake(
            "holdEnded",
            at: { $0.state.nextEnd },
            gives: [.renders(slots), .renders(held), .renders(message, .holdEnded)]
        ) { $0.holdEnded() },
    ]

    struct State: Codable, Equatable {
        var day: Day?
        var held: SlotTime?
        var heldUntil: Timestamp?
        /// When the next slot of the day that any customer holds is free again.
        var nextEnd: Timestamp?
    }

    weak var controllable: (any Controllable)?
    var state = State()
    private let store: any SlotStoring
    private let clock: any WallClock
    private let customer: String

    /// - Parameter customer: identifies the customer: the session's key.
    init(slots: any SlotStoring, clock: any WallClock, customer: String) {
        store = slots
        self.clock = clock
        self.customer = customer
    }

    private func show() {
        guard let day = state.day else { return }
        let slots = store.slots(on: day, for: customer)
        state.nextEnd = slots.nextEnd
        render(Self.slots, slots.slots)
    }

    private func hold(_ time: SlotTime, on day: Day) {
        state.day = day
        if let end = store.hold(time, on: day, for: customer) {
            (state.held, state.heldUntil) = (time, end)
            render(Self.held, time)
            render(Self.message, nil)
        } else {
            render(Self.message, .slotTaken)
        }
        show()
    }

    private func book() {
        guard let day = state.day, let held = state.held else { return render(Self.message, .holdEnded) }
        let isBooked = store.book(held, on: day, for: customer)
        releaseHeld()
        render(Self.message, isBooked ? .slotBooked : .holdEnded)
        show()
    }

    private func holdEnded() {
        if let end = state.heldUntil, end <= clock.now {
            releaseHeld()
            render(Self.message, .holdEnded)
        }
        show()
    }

    private func releaseHeld() {
        (state.held, state.heldUntil) = (nil, nil)
        render(Self.held, nil)
    }
}

extension Message {
    static let slotTaken = Message(code: "booking.slotTaken", text: "Another customer has this slot", field: "time")
    static let holdEnded = Message(
        code: "booking.holdEnded",
        text: "You hold no slot: choose one, and book it within two minutes"
    )
    static let slotBooked = Message.notice(code: "booking.slotBooked", text: "You have booked this slot")
}
