import Testing
import UnderstudyTesting

@testable import UnderstudyClient

@Suite struct TurnTests {
    private let turn = Turn()

    /// Starts a task that stands in the queue when this returns.
    private func queue(_ name: String, _ order: Locked<[String]>) -> Task<Void, any Error> {
        Task.immediate {
            try await turn.take()
            order.change { $0.append(name) }
            turn.pass()
        }
    }

    @Test func `turns come in the order in which they were asked for`() async throws {
        let order = Locked<[String]>([])
        try await turn.take()
        let tasks = ["a", "b", "c"].map { queue($0, order) }
        #expect(order.value == [])
        turn.pass()
        for task in tasks { try await task.value }
        #expect(order.value == ["a", "b", "c"])
    }

    @Test func `who is cancelled while waiting leaves the queue at once`() async throws {
        let order = Locked<[String]>([])
        try await turn.take()
        let tasks = ["a", "b", "c"].map { queue($0, order) }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        turn.pass()
        try await tasks[0].value
        try await tasks[2].value
        #expect(order.value == ["a", "c"])
    }

    @Test func `who is cancelled before gets no turn, and takes none away`() async throws {
        let order = Locked<[String]>([])
        let (started, hasStarted) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in started {}
            try await turn.take()
        }
        task.cancel()
        hasStarted.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await queue("a", order).value
        #expect(order.value == ["a"])
    }
}
