public import BusinessLogic

/// A clock whose time changes only when a test advances it. Tasks may share it.
public final class ManualClock: WallClock {
    private let time: LockedValue<Timestamp>

    /// A clock with that time; by default a time in 2023.
    public init(now: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) {
        time = LockedValue(now)
    }

    public var now: Timestamp { time.value }

    /// Advances the time.
    public func advance(by duration: Duration) {
        time.change { $0 = $0 + duration }
    }
}
