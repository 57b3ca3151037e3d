import Addresses
import RateLimiting
import Testing
import UnderstudyTesting

@Suite struct RateLimitingSamples {
    @Test func `the third time in a minute must wait, but not from another address`() {
        let now = ManualClock().now
        let limit = AddressLimit(Rate(2, per: .seconds(60)))
        #expect(limit.take(IPAddress("192.0.2.7"), at: now) == nil)
        #expect(limit.take(IPAddress("192.0.2.7"), at: now) == nil)
        #expect(limit.take(IPAddress("192.0.2.7"), at: now) == .seconds(30))
        #expect(limit.take(IPAddress("192.0.2.8"), at: now) == nil)
    }
}
