package import BusinessLogic
import Synchronization

/// Another clock, plus a duration that grows with each ``advance(by:)``, so that a test of a running server need not wait.
///
/// Everything in the process that reads the clock follows, also limits and expiries, which use ``steady``. The clock is as reliable as the
/// other one.
package final class AdvanceableClock: WallClock {
    /// The longest duration by which the clock can be advanced in all: ten years.
    package static let maximum = Duration.seconds(3650 * 86_400)

    private let clock: any WallClock
    private let offset = Mutex<Duration>(.zero)
    private let jumps = Notifier()

    package init(_ clock: any WallClock) { self.clock = clock }

    package var now: Timestamp { clock.now + advanced }

    package var steady: Timestamp { clock.steady + advanced }

    package var isReliable: Bool { clock.isReliable }

    /// Negative after ``set(toSteady:)``, if the clock is behind the other one.
    package var advanced: Duration { offset.withLock { $0 } }

    /// Advances the time, and then runs the actions of ``onAdvance(_:)``. The duration is 0 or more, without fractions of a millisecond. Returns
    /// `false`, and changes nothing, if the clock would then be advanced by more than ``maximum`` in all.
    package func advance(by duration: Duration) -> Bool {
        let isPossible = offset.withLock { offset in
            guard max(duration, .zero) <= Self.maximum - offset else { return false }
            offset += max(duration, .zero)
            return true
        }
        if isPossible { jumps.notify() }
        return isPossible
    }

    /// Sets the time back to that of the other clock, and then runs the actions of ``onAdvance(_:)``.
    ///
    /// This also sets ``steady`` back. So reset everything that contains a time as well.
    package func reset() {
        offset.withLock { $0 = .zero }
        jumps.notify()
    }

    /// Sets the time back to a moment at which ``steady`` was `moment`, and then runs the actions of ``onAdvance(_:)``.
    ///
    /// So reset everything that contains a time as well, to what it was at that moment.
    package func set(toSteady moment: Timestamp) {
        offset.withLock { $0 = .milliseconds(moment.milliseconds(since: clock.steady)) }
        jumps.notify()
    }

    /// Registers an action that runs whenever the time has jumped, such as one that wakes timers. It stays registered, and must not block.
    package func onAdvance(_ action: @escaping @Sendable () -> Void) { jumps.add(action) }
}
