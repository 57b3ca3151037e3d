internal import Synchronization

/// Where one task waits until another thread, or another part of its own thread, resumes it: an executor that stores the job it receives.
///
/// A continuation would do the same, but it resumes the task on one of Swift's own threads, from which the task returns to its actor. That
/// takes a tenth of a server's processor time for a short statement of SQL.
package final class ParkingExecutor: SerialExecutor {
    private let whenParked: @Sendable (ParkingExecutor) -> Void
    private let job = Mutex<UnownedJob?>(nil)

    /// - Parameter whenParked: is called when the task waits, on the task's thread.
    package init(whenParked: @escaping @Sendable (ParkingExecutor) -> Void = { _ in }) {
        self.whenParked = whenParked
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.job.withLock { $0 = job }
        whenParked(self)
    }

    /// Runs the waiting task until it waits again or ends. Does nothing if no task waits.
    ///
    /// - Parameter executor: the executor on which the caller runs, to which the task may be isolated; `nil` for another thread.
    package func resume(on executor: UnownedSerialExecutor? = nil) {
        job.withLock { $0.take() }?.runSynchronously(on: executor ?? asUnownedSerialExecutor())
    }

    /// The actor in whose method the task waits.
    package actor Isolation {
        package nonisolated let unownedExecutor: UnownedSerialExecutor
        private var count = 0

        /// - Parameter executor: must outlive this.
        package init(_ executor: ParkingExecutor) {
            unownedExecutor = executor.asUnownedSerialExecutor()
        }

        /// Returns when the task is resumed.
        @inline(never) package func wait() {
            // Without a statement, the optimiser would remove the call.
            count &+= 1
        }
    }
}
