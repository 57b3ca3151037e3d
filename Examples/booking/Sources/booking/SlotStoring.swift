import BusinessLogic
import Understudy

/// Stores which customer has which slot.
protocol SlotStoring: Sendable {
    /// The slots of a day.
    func slots(on day: Day, for customer: String) -> DaySlots

    /// Holds a slot, and releases the one that the customer held on that day.
    ///
    /// - Returns: until when the customer holds it; `nil` if another customer has it.
    func hold(_ time: SlotTime, on day: Day, for customer: String) -> Timestamp?

    /// Books a slot that the customer holds.
    ///
    /// - Returns: `false` if the customer does not hold it any more.
    func book(_ time: SlotTime, on day: Day, for customer: String) -> Bool

    /// Releases all slots that the customer holds and has not booked.
    func release(for customer: String)
}

/// The store of a session that may be recorded: a replay returns the recorded results.
struct RecordedSlots: SlotStoring {
    let store: any SlotStoring
    let results: PageContext.Results

    func slots(on day: Day, for customer: String) -> DaySlots {
        results.from("slots", else: DaySlots(slots: [])) { store.slots(on: day, for: customer) }
    }

    func hold(_ time: SlotTime, on day: Day, for customer: String) -> Timestamp? {
        results.from("holdSlot", else: nil) { store.hold(time, on: day, for: customer) }
    }

    func book(_ time: SlotTime, on day: Day, for customer: String) -> Bool {
        results.from("bookSlot", else: false) { store.book(time, on: day, for: customer) }
    }

    /// What the store can return, for `compare`, which calls no store.
    static var examples: [ResultExamples] {
        [
            ResultExamples("slots") { now in
                let claimed = zip(SlotTime.allCases, [Availability.free, .held, .booked, .yours])
                return [
                    DaySlots(slots: SlotTime.allCases.map { Slot(time: $0, availability: .free) }),
                    DaySlots(
                        slots: claimed.map { Slot(time: $0, availability: $1) },
                        nextEnd: now + Slots.holdDuration
                    ),
                ]
            },
            ResultExamples("holdSlot") { now in [now + Slots.holdDuration, nil] },
        ]
    }

    // No event calls it.
    func release(for customer: String) { store.release(for: customer) }
}
