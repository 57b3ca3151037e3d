import Testing
import UnderstudyTesting

@testable import UnderstudyClient

@Suite struct AsyncLockTests {
    private let lock = AsyncLock()

    /// Starts a task, which is in the queue when this returns.
    private func queue(_ name: String, _ order: LockedValue<[String]>) -> Task<Void, any Error> {
        Task.immediate {
            try await lock.acquire()
            order.change { $0.append(name) }
            lock.release()
        }
    }

    @Test func `tasks get the lock in FIFO order`() async throws {
        let order = LockedValue<[String]>([])
        try await lock.acquire()
        let tasks = ["a", "b", "c"].map { queue($0, order) }
        #expect(order.value == [])
        lock.release()
        for task in tasks { try await task.value }
        #expect(order.value == ["a", "b", "c"])
    }

    @Test func `a cancelled task leaves the queue at once`() async throws {
        let order = LockedValue<[String]>([])
        try await lock.acquire()
        let tasks = ["a", "b", "c"].map { queue($0, order) }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        lock.release()
        try await tasks[0].value
        try await tasks[2].value
        #expect(order.value == ["a", "c"])
    }

    @Test func `a task that is already cancelled does not get the lock`() async throws {
        let order = LockedValue<[String]>([])
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in started {}
            try await lock.acquire()
        }
        task.cancel()
        hasStarted.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await queue("a", order).value
        #expect(order.value == ["a"])
    }
}
