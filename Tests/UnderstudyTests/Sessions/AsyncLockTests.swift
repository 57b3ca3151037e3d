import BusinessLogic
import Testing
import UnderstudyTesting

@testable import Understudy

@Suite struct TurnTests {
    /// Holds the turn until it is told to let go.
    private actor Holder {
        private var continuation: CheckedContinuation<Void, Never>?
        private var isReleased = false

        func hold() async {
            guard !isReleased else { return }
            await withCheckedContinuation { continuation = $0 }
        }

        func release() {
            isReleased = true
            continuation?.resume()
            continuation = nil
        }
    }

    private let lock = AsyncLock()
    private let holder = Holder()
    private let log = LockedValue<[Int]>([])

    /// A task that has the turn until the holder lets go.
    private func takeTurn() -> Task<Void, any Error> {
        Task.immediate { try await lock.withLock(limit: 0) { await holder.hold() } }
    }

    /// A task that waits for its turn, and then notes its number. It has arrived when this returns.
    private func arrive(_ number: Int, limit: Int = 100) -> Task<Void, any Error> {
        Task.immediate {
            try await lock.withLock(limit: limit) {
                log.change { $0.append(number) }
                // Whoever comes too early is seen.
                await Task.yield()
                log.change { $0.append(number) }
            }
        }
    }

    @Test func `a free turn is taken at once and its result returned`() async throws {
        let result = try await lock.withLock(limit: 0) { 7 }
        #expect(result == 7)
        let task = Task.immediate { try await lock.withLock(limit: 0) { log.value = [1] } }
        #expect(log.value == [1])
        try await task.value
    }

    @Test func `the turn is given back whatever happens`() async throws {
        await #expect(throws: Outage()) { try await lock.withLock(limit: 0) { throw Outage() } }
        try await lock.withLock(limit: 0) {}
    }

    @Test func `those who wait come in the order in which they arrived`() async throws {
        let holding = takeTurn()
        let waiting = (1...20).map { arrive($0) }
        #expect(log.value == [])
        await holder.release()
        for task in waiting { try await task.value }
        try await holding.value
        #expect(log.value == (1...20).flatMap { [$0, $0] })
    }

    @Test func `whoever throws passes the turn on`() async throws {
        let holding = takeTurn()
        let failing = Task.immediate { try await lock.withLock(limit: 1) { throw Outage() } }
        let next = arrive(2)
        await holder.release()
        await #expect(throws: Outage()) { try await failing.value }
        try await next.value
        try await holding.value
        #expect(log.value == [2, 2])
    }

    @Test(arguments: [0, 1, 3])
    func `more than the limit are refused and the others come`(limit: Int) async throws {
        let holding = takeTurn()
        let waiting = (0..<limit).map { arrive($0, limit: limit) }
        for number in 100..<103 {
            await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(1))) {
                try await arrive(number, limit: limit).value
            }
        }
        await holder.release()
        for task in waiting { try await task.value }
        try await holding.value
        #expect(log.value == (0..<limit).flatMap { [$0, $0] })
    }

    @Test func `whoever leaves makes room for another`() async throws {
        let holding = takeTurn()
        let leaving = arrive(1, limit: 1)
        leaving.cancel()
        let next = arrive(2, limit: 1)
        await holder.release()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        try await next.value
        try await holding.value
        #expect(log.value == [2, 2])
    }

    @Test(arguments: [[1], [3], [5], [2, 4], [1, 2, 3, 4, 5]])
    func `whoever is cancelled leaves the queue and never has a turn`(cancelled: [Int]) async throws {
        let holding = takeTurn()
        let waiting = (1...5).map { arrive($0) }
        for number in cancelled { waiting[number - 1].cancel() }
        await holder.release()
        for (index, task) in waiting.enumerated() {
            if cancelled.contains(index + 1) {
                await #expect(throws: CancellationError.self) { try await task.value }
            } else {
                try await task.value
            }
        }
        try await holding.value
        #expect(log.value == (1...5).filter { !cancelled.contains($0) }.flatMap { [$0, $0] })
    }

    @Test func `whoever is cancelled need not wait for the turn to be passed`() async throws {
        let holding = takeTurn()
        let leaving = arrive(1)
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        await holder.release()
        try await holding.value
    }

    @Test func `whoever was cancelled before does not queue up`() async throws {
        let holding = takeTurn()
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await lock.withLock(limit: 100) { log.value = [1] }
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        await holder.release()
        try await holding.value
        #expect(log.value == [])
    }

    @Test func `whoever has the turn keeps it when cancelled`() async throws {
        let holding = takeTurn()
        let next = arrive(1)
        holding.cancel()
        #expect(log.value == [])
        await holder.release()
        try await holding.value
        try await next.value
        #expect(log.value == [1, 1])
    }

    @Test func `of many tasks no two have their turn at once and none is forgotten`() async throws {
        // Guarded by the turn alone.
        final class Guarded: @unchecked Sendable { var count = 0 }
        let guarded = Guarded()
        let cancelled = LockedValue(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    for round in 0..<20 {
                        let task = Task {
                            try await lock.withLock(limit: .max) {
                                let count = guarded.count
                                if (number + round) % 3 == 0 { await Task.yield() }
                                guarded.count = count + 1
                            }
                        }
                        if (number + round) % 5 == 0 { task.cancel() }
                        do { try await task.value } catch { cancelled.change { $0 += 1 } }
                    }
                }
            }
        }
        try await lock.withLock(limit: 0) {}
        #expect(guarded.count + cancelled.value == 100 * 20)
    }
}
