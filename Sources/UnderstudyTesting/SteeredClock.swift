public import BusinessLogic
internal import Foundation

/// A clock that stands still until a test moves it on.
///
/// Sendable because its lock guards the time. May be moved while others look.
public final class SteeredClock: WallClock, @unchecked Sendable {
    private let lock = NSLock()
    private var time: Timestamp

    /// A clock that stands at that time; at some time in 2023 unless told.
    public init(now: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) {
        time = now
    }

    public var now: Timestamp { lock.withLock { time } }

    /// Moves the time on.
    public func advance(by duration: Duration) {
        lock.withLock { time = time + duration }
    }
}
