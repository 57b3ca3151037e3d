public import BusinessLogic

/// A clock whose time changes only when a test advances or sets it. Any number of tasks may use it
/// at the same time.
public final class ManualClock: WallClock {
    private let times: LockedValue<(now: Timestamp, steady: Timestamp)>

    /// Creates a clock with a time, by default 2023-11-14T22:13:20Z.
    public init(now: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) { times = LockedValue((now, now)) }

    public var now: Timestamp { times.value.now }

    public var steady: Timestamp { times.value.steady }

    /// Advances the time by a duration, without fractions of a millisecond.
    public func advance(by duration: Duration) { times.change { $0 = ($0.now + duration, $0.steady + duration) } }

    /// Sets the clock forward by a duration, or back by a negative one, as an operator does: ``steady`` stays the same.
    public func set(by duration: Duration) { times.change { $0.now = $0.now + duration } }
}
