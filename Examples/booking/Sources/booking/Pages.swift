import BusinessLogic
import Understudy

func bookingPages(
    slots: any SlotStoring,
    clock: any WallClock,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
) -> [Page] {
    [
        Page("booking") {
            BookingController(
                slots: RecordedSlots(store: slots, results: $0.results),
                clock: $0.recorded(clock),
                random: $0.recorded(random)
            )
        }
    ]
}
