import BusinessLogic
import Testing
import Understudy
import UnderstudyCommandLine

/// The article "Store your own data".
@Suite struct SlotsTests {
    @Test func `a slot is booked once`() async throws {
        let slots = Slots(database: try .inMemory(migrations))
        try await slots.add("9:00")
        #expect(try await slots.book("9:00", for: "lisa"))
        #expect(try await !slots.book("9:00", for: "bart"))
        #expect(try await slots.free() == [])
    }
}
