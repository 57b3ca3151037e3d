public import BusinessLogic

/// A clock whose time changes only when a test advances it. Any number of tasks may use it
/// at the same time.
public final class ManualClock: WallClock {
    private let time: LockedValue<Timestamp>

    /// Creates a clock with a time, by default 2023-11-14T22:13:20Z.
    public init(now: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) {
        time = LockedValue(now)
    }

    public var now: Timestamp { time.value }

    /// Advances the time by a duration, without fractions of a millisecond.
    public func advance(by duration: Duration) {
        time.change { $0 = $0 + duration }
    }
}
