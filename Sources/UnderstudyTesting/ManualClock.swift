public import BusinessLogic

/// A clock that stands still until a test moves it on. May be moved while others look.
public final class ManualClock: WallClock {
    private let time: LockedValue<Timestamp>

    /// A clock that stands at that time; at some time in 2023 unless told.
    public init(now: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) {
        time = LockedValue(now)
    }

    public var now: Timestamp { time.value }

    /// Moves the time on.
    public func advance(by duration: Duration) {
        time.change { $0 = $0 + duration }
    }
}
