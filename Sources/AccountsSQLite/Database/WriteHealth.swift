internal import Synchronization

/// Whether a database can be written. After a failure, it cannot until an attempt succeeds.
final class WriteHealth: Sendable {
    private let interval: Duration
    /// The attempts; `nil` if the database can be written.
    private let attempts = Mutex<Task<Void, Never>?>(nil)

    init(interval: Duration) {
        self.interval = interval
    }

    deinit {
        attempts.withLock { $0?.cancel() }
    }

    /// Whether the last write, or an attempt since, has succeeded.
    var isAvailable: Bool { attempts.withLock { $0 == nil } }

    /// Records a failure, and calls `attempt` after each interval until it returns `true`.
    func recordFailure(attempt: @escaping @Sendable () async -> Bool) {
        attempts.withLock { attempts in
            guard attempts == nil else { return }
            attempts = Task { [interval, weak self] in
                repeat {
                    guard (try? await Task.sleep(for: interval)) != nil else { return }
                } while await !attempt()
                self?.attempts.withLock { $0 = nil }
            }
        }
    }
}
