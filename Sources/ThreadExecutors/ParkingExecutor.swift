import Synchronization

/// Where one task waits until another part of its thread resumes it: an executor that stores the job it receives.
///
/// A continuation would do the same, but it resumes the task on one of Swift's own threads, from which the task returns to its actor.
package final class ParkingExecutor: SerialExecutor {
    private let job = Mutex<UnownedJob?>(nil)

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.job.withLock { $0 = job }
    }

    /// Runs the waiting task until it waits again or ends. Does nothing if no task waits. The task may be isolated to the caller's executor.
    package func resume(on executor: UnownedSerialExecutor) {
        job.withLock { $0.take() }?.runSynchronously(on: executor)
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
