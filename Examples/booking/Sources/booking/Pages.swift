import BusinessLogic
import Understudy

func bookingPages(
    slots: any SlotStoring,
    clock: any WallClock
) -> [Page] {
    [
        Page(
            "booking",
            onSessionEnd: { slots.release(for: $0.key) },
            resultExamples: RecordedSlots.examples
        ) {
            BookingController(
                slots: RecordedSlots(store: slots, results: $0.results),
                clock: $0.recorded(clock),
                customer: $0.sessionKey
            )
        }
    ]
}
