public import BusinessLogic
import Glibc

/// The machine's time of day, with a resolution of a few milliseconds.
public struct SystemClock: WallClock {
    /// Creates a clock.
    public init() {}

    public var now: Timestamp { Timestamp(milliseconds: Self.read(CLOCK_REALTIME_COARSE)) }

    public var steady: Timestamp { Timestamp(milliseconds: Self.start + Self.read(CLOCK_BOOTTIME)) }

    /// The start of the machine, by the clock as it was when the process first asked for it.
    private static let start = read(CLOCK_REALTIME) - read(CLOCK_BOOTTIME)

    /// The milliseconds that a clock of the kernel shows.
    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
