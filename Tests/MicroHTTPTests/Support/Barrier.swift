import Glibc
import TestSupport

/// Blocks the threads that reach it, and with them their event loops, until a test lifts it.
final class Barrier: @unchecked Sendable {
    // Sendable because a semaphore is thread-safe, and nothing else changes.

    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// The number of threads that have reached the barrier.
    let arrivals = Tally()

    init() {
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Blocks until the barrier is lifted, or for ten minutes, which is longer than a suite may take. Lets one thread through for each ``lift()``.
    func block() {
        arrivals.add()
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += 600
        while sem_timedwait(semaphore, &deadline) != 0 && errno == EINTR {}
    }

    /// Lets one thread through.
    func lift() {
        sem_post(semaphore)
    }
}
