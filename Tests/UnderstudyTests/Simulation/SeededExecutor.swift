import Synchronization

/// Runs tasks one at a time, on the thread that calls ``run(_:)``, in an order that a seed determines: a run with the same seed repeats exactly.
final class SeededExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var random: SeededGenerator
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Runs a task and all that it starts.
    ///
    /// - Returns: `false` if the task waits for something that no other task does.
    func run(_ body: @escaping @Sendable () async -> Void) -> Bool {
        let hasEnded = Atomic(false)
        return withExtendedLifetime(Box(hasEnded)) { box in
            Task(executorPreference: self) {
                await body()
                box.value.store(true, ordering: .relaxed)
            }
            while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
            return box.value.load(ordering: .relaxed)
        }
    }

    private final class Box: Sendable {
        let value: Atomic<Bool>

        init(_ value: consuming Atomic<Bool>) { self.value = value }
    }

    private func next() -> UnownedJob? {
        state.withLock { state in
            guard !state.jobs.isEmpty else { return nil }
            return state.jobs.remove(at: Int.random(in: state.jobs.indices, using: &state.random))
        }
    }

    /// Whether something happens that has that probability, in percent.
    func decides(_ percent: Int) -> Bool { number(below: 100) < percent }

    /// A number from 0 up to, not including, `limit`.
    func number(below limit: Int) -> Int {
        state.withLock { Int.random(in: 0..<limit, using: &$0.random) }
    }

    /// Lets other tasks run.
    func pause() async {
        for _ in 0..<number(below: 4) { await Task.yield() }
    }
}

/// Random numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
