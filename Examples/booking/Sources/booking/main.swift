import UnderstudyCommandLine

try await Application(title: "Booking", version: "1.0") {
    bookingPages(slots: Slots(topics: $0.topics, clock: $0.clock), clock: $0.clock)
}.run()
