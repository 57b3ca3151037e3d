public import BusinessLogic
import Synchronization

/// The time of a PostgreSQL database, for all servers that share the database.
///
/// It is the database's time at the last comparison, plus what has passed since then by the steady clock of this machine. So setting the
/// machine's clock has no effect. Compare the clocks at the start, and then about every minute. Use this clock for everything that stores
/// times in the database: for ``/Accounts/AccountService``, for the service, and for your own collaborators.
///
/// Any number of tasks may use it at the same time.
public final class DatabaseClock: WallClock {
    /// How well this machine's clock agrees with the database's.
    package enum Agreement: Sendable {
        /// They differ by at most five seconds.
        case close
        /// They differ by more than five seconds.
        case apart
        /// They differ by more than a minute, or have not been compared yet, so that the database's time may be wrong.
        case unreliable
    }

    /// The longest round trip of a comparison that counts, in milliseconds. Half of it is the largest error.
    private static let longestRoundTrip: Int64 = 1000
    /// The largest difference between clocks that agree, in milliseconds.
    private static let tolerance: Int64 = 5000
    /// The largest difference between reliable clocks, in milliseconds.
    private static let limit: Int64 = 60_000

    private let machine: any WallClock
    private let databaseTime: @Sendable () async throws -> Timestamp
    /// What to add to the machine's steady time, in milliseconds.
    private let offset: Atomic<Int64>
    /// The time stands still here until the clock reaches it, after a small correction backwards.
    private let floor = Atomic<Int64>(.min)
    private let isCompared = Atomic(false)

    /// Creates a clock that shows the machine's time until the first comparison.
    ///
    /// - Parameters:
    ///   - database: the database.
    ///   - machine: the clock of this machine, such as the `SystemClock` of the module `Understudy`.
    public convenience init(_ database: PostgreSQLDatabase, machine: any WallClock) {
        self.init(machine: machine) { try await database.time }
    }

    init(machine: any WallClock, databaseTime: @escaping @Sendable () async throws -> Timestamp) {
        self.machine = machine
        self.databaseTime = databaseTime
        offset = Atomic(machine.now.milliseconds - machine.steady.milliseconds)
    }

    public var now: Timestamp {
        let time = machine.steady.milliseconds + offset.load(ordering: .acquiring)
        return Timestamp(milliseconds: max(time, floor.load(ordering: .acquiring)))
    }

    public var steady: Timestamp { machine.steady }

    /// Whether the clocks have been compared, and differ by at most a minute. Notices at once if the machine's clock is set.
    public var isReliable: Bool { agreement != .unreliable }

    /// How far the machine's clock is ahead of the database's; negative if it is behind.
    public var difference: Duration { .milliseconds(machine.now.milliseconds(since: now)) }

    package var agreement: Agreement {
        guard isCompared.load(ordering: .acquiring) else { return .unreliable }
        return switch Int64(clamping: machine.now.milliseconds(since: now).magnitude) {
        case ...Self.tolerance: .close
        case ...Self.limit: .apart
        default: .unreliable
        }
    }

    /// Compares the clocks, and corrects this one. Only one task may call this at a time.
    ///
    /// A comparison whose round trip takes longer than a second does not count, except the first one. If the time is corrected backwards
    /// by at most five seconds, it stands still for as long. If it is corrected by more, because the database's clock was set, it jumps.
    ///
    /// - Returns: whether the comparison counts.
    /// - Throws: the error of ``PostgreSQLDatabase/time``. The clock continues as before.
    @discardableResult
    public func compare() async throws -> Bool {
        let start = machine.steady.milliseconds
        let time = try await databaseTime().milliseconds
        let roundTrip = machine.steady.milliseconds - start
        guard roundTrip <= Self.longestRoundTrip || !isCompared.load(ordering: .relaxed) else { return false }
        let next = time - (start + roundTrip / 2)
        let former = now.milliseconds
        let isSmallStepBack = (1...Self.tolerance).contains(former - (machine.steady.milliseconds + next))
        // Before the offset, so that no reader sees the new offset without it.
        floor.store(isCompared.load(ordering: .relaxed) && isSmallStepBack ? former : .min, ordering: .releasing)
        offset.store(next, ordering: .releasing)
        isCompared.store(true, ordering: .releasing)
        return true
    }
}
