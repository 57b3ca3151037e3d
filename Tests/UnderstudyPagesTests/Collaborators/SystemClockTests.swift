import Foundation

struct SystemClockTests {
    @Test func `the clock returns the time of day`() {
        let before = Date().timeIntervalSince1970
        let now = Double(SystemClock().now.milliseconds) / 1000
        let after = Date().timeIntervalSince1970
        // The clock ticks every few milliseconds.
        #expect((before - 0.1...after + 0.1).contains(now))
    }
}
