public import BusinessLogic

/// A clock whose time changes only when a test advances or sets it. Any number of tasks may use it
/// at the same time.
public final class ManualClock: WallClock {
    private let times: LockedValue<(now: Timestamp, steady: Timestamp)>

    /// Creates a clock with a time.
    public init(now: Timestamp) { times = LockedValue((now, now)) }

    /// Creates a clock that shows 2027-03-01T09:30:00.123Z, as do those of `compare` and `check`.
    public convenience init() { self.init(now: .ofTests) }

    public var now: Timestamp { times.value.now }

    public var steady: Timestamp { times.value.steady }

    /// Advances the time by a duration, without fractions of a millisecond.
    public func advance(by duration: Duration) { times.change { $0 = ($0.now + duration, $0.steady + duration) } }

    /// Sets the clock forward by a duration, or back by a negative one, as an operator does: ``steady`` stays the same.
    public func set(by duration: Duration) { times.change { $0.now = $0.now + duration } }
}
