import Synchronization

/// Runs tasks one at a time, on the thread that calls ``run(_:)``, in an order that a seed determines: a run with the same seed repeats exactly.
final class SeededExecutor: TaskExecutor {
    struct State {
        var jobs: [UnownedJob] = []
        var random: SequenceRandom
    }

    let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(random: SequenceRandom(seed: seed))) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Runs a task and all that it starts.
    ///
    /// - Returns: `false` if the task waits for something that no other task does.
    func run(_ body: @escaping @Sendable () async -> Void) -> Bool {
        let hasEnded = LockedValue(false)
        Task(executorPreference: self) {
            await body()
            hasEnded.value = true
        }
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return hasEnded.value
    }

    func next() -> UnownedJob? {
        state.withLock { state in
            guard !state.jobs.isEmpty else { return nil }
            return state.jobs.remove(at: Int.random(in: state.jobs.indices, using: &state.random))
        }
    }

    /// Whether something happens that has that probability, in percent.
    func decides(_ percent: Int) -> Bool { number(below: 100) < percent }

    /// A number from 0 up to, not including, `limit`.
    func number(below limit: Int) -> Int { state.withLock { Int.random(in: 0..<limit, using: &$0.random) } }

    /// Lets other tasks run.
    func pause() async { for _ in 0..<number(below: 4) { await Task.yield() } }
}
