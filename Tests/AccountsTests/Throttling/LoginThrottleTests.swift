@testable import Accounts

struct LoginThrottleTests {
    func time(_ seconds: Int64) -> Timestamp { .ms(seconds * 1000) }

    func admit(_ count: inout FailureCount, at time: Timestamp) -> Bool { LoginThrottle.admit(&count, at: time) }

    @Test func `five failures in a row have no consequences, and the sixth attempt must wait`() {
        var count = FailureCount()
        for _ in 1...5 { #expect(admit(&count, at: time(0))) }
        #expect(!admit(&count, at: time(0)))
        #expect(count == FailureCount(failures: 5, lastFailure: time(0), refused: 1))
    }

    @Test(arguments: [
        (0, 0), (4, 0), (5, 30), (6, 60), (7, 120), (8, 240), (9, 480), (10, 900), (11, 900), (1_000_000, 900),
    ])
    func `the delay grows from thirty seconds to fifteen minutes`(failures: Int, seconds: Int) {
        #expect(LoginThrottle.delay(after: failures) == .seconds(seconds))
    }

    @Test func `a failure after the delay lengthens the next delay`() {
        var count = FailureCount(failures: 5, lastFailure: time(0))
        #expect(!admit(&count, at: .ms(29_999)))
        #expect(admit(&count, at: time(30)))
        #expect(!admit(&count, at: .ms(89_999)))
        #expect(admit(&count, at: time(90)))
    }

    @Test func `rejected attempts do not lengthen the delay`() {
        var count = FailureCount(failures: 5, lastFailure: time(0))
        for second in 1..<30 { #expect(!admit(&count, at: time(Int64(second)))) }
        #expect(count == FailureCount(failures: 5, lastFailure: time(0), refused: 29))
        #expect(admit(&count, at: time(30)))
    }

    @Test(arguments: [.min, -1, 0, .max] as [Int64], [.min, -1, 5, .max])
    func `any stored count and time allow or reject an attempt`(milliseconds: Int64, failures: Int) {
        var count = FailureCount(failures: failures, lastFailure: .ms(milliseconds), refused: .max)
        let isLocked = count.lockedUntil(at: time(0)) != nil
        #expect(admit(&count, at: time(0)) != isLocked)
    }

    @Test(arguments: [5, 7, 10, 50])
    func `after the clock was set back, an account is locked for its delay from the next attempt`(failures: Int) {
        var count = FailureCount(failures: failures, lastFailure: time(3600))
        #expect(!admit(&count, at: time(0)))
        let delay = LoginThrottle.delay(after: failures)
        #expect(count == FailureCount(failures: failures, lastFailure: time(0), refused: 1))
        #expect(count.lockedUntil(at: time(0)) == time(0) + delay)
        #expect(!admit(&count, at: time(0) + (delay - .milliseconds(1))))
        #expect(admit(&count, at: time(0) + delay))
    }

    @Test func `a failure in the future counts as one now, also before the next attempt`() {
        #expect(FailureCount(failures: 50, lastFailure: time(1_000_000_000)).lockedUntil(at: time(100)) == time(1000))
    }

    @Test func `a clock that was set back gives no attempts back`() {
        var count = FailureCount()
        let admitted = (0..<100).count { admit(&count, at: time(-3600 * Int64($0))) }
        #expect(admitted == 5)
    }

    @Test func `names without an account have separate counts by their keys`() {
        #expect(ThrottleKey.unknownName(AccountKey("Batman")) == .unknownName(AccountKey("bATMAN")))
        #expect(Set((0..<1000).map { ThrottleKey.unknownName(AccountKey("name\($0)")) }).count > 950)
    }
}
