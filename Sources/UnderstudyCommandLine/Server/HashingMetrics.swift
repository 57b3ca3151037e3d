import Accounts
import CoreMetrics
import Synchronization

/// The metrics of password hashing.
final class HashingMetrics: Sendable {
    /// The description of each metric by its name.
    static let descriptions = [
        "understudy_password_hashes_waiting": "Passwords that wait to be hashed or verified.",
        "understudy_password_hashes_total": "Passwords hashed or verified.",
        "understudy_password_hashes_refused_total": "Passwords rejected because too many waited.",
    ]

    private let hasher: PasswordHasher
    private let waiting: Meter
    private let done, refused: Counter
    private let counted = Mutex((done: 0, refused: 0))

    init(_ hasher: PasswordHasher, factory: any MetricsFactory) {
        self.hasher = hasher
        waiting = Meter(label: "understudy_password_hashes_waiting", factory: factory)
        done = Counter(label: "understudy_password_hashes_total", factory: factory)
        refused = Counter(label: "understudy_password_hashes_refused_total", factory: factory)
    }

    /// Updates the metrics from the hasher's counts.
    func update() {
        counted.withLock { counted in
            let load = hasher.load
            waiting.set(load.waiting)
            done.increment(by: load.done - counted.done)
            refused.increment(by: load.rejected - counted.refused)
            counted = (load.done, load.rejected)
        }
    }
}
