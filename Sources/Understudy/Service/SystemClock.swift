public import BusinessLogic
internal import Glibc

/// The machine's time of day, with a resolution of a few milliseconds.
public struct SystemClock: WallClock {
    /// Creates a clock.
    public init() {}

    public var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
