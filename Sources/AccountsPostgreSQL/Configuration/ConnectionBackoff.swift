/// How long a pool waits before it tries to connect again: exponential, with full jitter, and shared by all connections of the pool.
struct ConnectionBackoff {
    let initial: Duration
    let maximum: Duration
    /// The number of attempts that have failed since the last success.
    private(set) var failures = 0
    /// When the next attempt may start; `nil` if at once.
    private(set) var nextAttempt: ContinuousClock.Instant?

    init(_ configuration: PostgreSQLConfiguration) {
        initial = configuration.initialBackoff
        maximum = configuration.maximumBackoff
    }

    /// Records a failed attempt. `random` returns a number from 0 to 1.
    mutating func fail(at now: ContinuousClock.Instant, random: () -> Double = { .random(in: 0...1) }) {
        failures += 1
        let ceiling = min(maximum, initial * (1 << min(failures - 1, 20)))
        nextAttempt = now + ceiling * random()
    }

    /// Records a successful attempt.
    mutating func succeed() {
        failures = 0
        nextAttempt = nil
    }

    /// Whether another attempt may begin while `connecting` others wait or are in progress. After a failure, it is one at a time.
    func allowsAttempt(connecting: Int) -> Bool { failures == 0 || connecting == 0 }
}
