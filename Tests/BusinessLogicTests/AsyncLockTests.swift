final class AsyncLockTests: Sendable {
    let lock = AsyncLock()
    let gate = Latch()
    let log = LockedValue<[Int]>([])

    /// A task that has the lock until the gate is open.
    func takeTurn() -> Task<Void, any Error> {
        Task.immediate { try await lock.withLock(limit: 0) { await gate.wait() } }
    }

    /// A task that waits for the lock and then records its number. It waits when this returns.
    func arrive(_ number: Int, limit: Int = 100) -> Task<Void, any Error> {
        Task.immediate {
            try await lock.withLock(limit: limit) {
                log.append(number)
                // Makes a task that runs too early visible.
                await Task.yield()
                log.append(number)
            }
        }
    }

    @Test func `a free lock runs the body at once and returns its result`() async throws {
        let result = try await lock.withLock(limit: 0) { 7 }
        #expect(result == 7)
        let task = Task.immediate { try await lock.withLock(limit: 0) { log.value = [1] } }
        #expect(log.value == [1])
        try await task.value
    }

    @Test func `waiting tasks get the lock in the order of their arrival`() async throws {
        let holding = takeTurn()
        let waiting = (1...20).map { arrive($0) }
        #expect(log.value == [])
        gate.open()
        for task in waiting { try await task.value }
        try await holding.value
        #expect(log.value == (1...20).flatMap { [$0, $0] })
    }

    @Test func `a body that throws releases the lock to the next task`() async throws {
        let holding = takeTurn()
        let failing = Task.immediate { try await lock.withLock(limit: 1) { throw Outage() } }
        let next = arrive(2)
        gate.open()
        await #expect(throws: Outage()) { try await failing.value }
        try await next.value
        try await holding.value
        #expect(log.value == [2, 2])
    }

    @Test(arguments: [0, 1, 3])
    func `tasks above the limit are rejected, and the others get the lock`(limit: Int) async throws {
        let holding = takeTurn()
        let waiting = (0..<limit).map { arrive($0, limit: limit) }
        for number in 100..<103 {
            await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(1))) {
                try await arrive(number, limit: limit).value
            }
        }
        gate.open()
        for task in waiting { try await task.value }
        try await holding.value
        #expect(log.value == (0..<limit).flatMap { [$0, $0] })
    }

    @Test func `a task that finishes makes room for another`() async throws {
        let holding = takeTurn()
        let leaving = arrive(1, limit: 1)
        leaving.cancel()
        let next = arrive(2, limit: 1)
        gate.open()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        try await next.value
        try await holding.value
        #expect(log.value == [2, 2])
    }

    @Test(arguments: [[1], [3], [5], [2, 4], [1, 2, 3, 4, 5]])
    func `a cancelled task leaves the queue at once, and never gets the lock`(cancelled: [Int]) async throws {
        let holding = takeTurn()
        let waiting = (1...5).map { arrive($0) }
        for number in cancelled {
            waiting[number - 1].cancel()
            await #expect(throws: CancellationError.self) { try await waiting[number - 1].value }
        }
        gate.open()
        try await holding.value
        for (number, task) in zip(1..., waiting) where !cancelled.contains(number) { try await task.value }
        #expect(log.value == (1...5).filter { !cancelled.contains($0) }.flatMap { [$0, $0] })
    }

    @Test(arguments: [true, false])
    func `a task that is already cancelled neither gets a free lock nor waits for one`(isFree: Bool) async throws {
        let holding = isFree ? nil : takeTurn()
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await lock.acquire()
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        gate.open()
        try await holding?.value
        let isAcquired = lock.acquireIfFree()
        #expect(isAcquired)
    }

    @Test func `a task that has the lock keeps it if it is cancelled`() async throws {
        let holding = takeTurn()
        let next = arrive(1)
        holding.cancel()
        #expect(log.value == [])
        gate.open()
        try await holding.value
        try await next.value
        #expect(log.value == [1, 1])
    }

    @Test func `many tasks run one at a time, and all of them run`() async throws {
        // Sendable because the lock protects it.
        final class Count: @unchecked Sendable { var value = 0 }
        let finished = Count()
        let cancelled = LockedValue(0)
        try await concurrently(100) { number in
            for round in 0..<20 {
                let task = Task {
                    try await self.lock.withLock(limit: .max) {
                        let count = finished.value
                        if (number + round) % 3 == 0 { await Task.yield() }
                        finished.value = count + 1
                    }
                }
                if (number + round) % 5 == 0 { task.cancel() }
                do { try await task.value } catch { cancelled.change { $0 += 1 } }
            }
        }
        try await lock.withLock(limit: 0) {}
        #expect(finished.value + cancelled.value == 100 * 20)
    }
}

extension AsyncLock {
    /// Runs `body` while holding the lock.
    fileprivate func withLock<Result>(limit: Int, _ body: () async throws -> Result) async throws -> Result {
        try await acquire(limit: limit)
        defer { release() }
        return try await body()
    }
}
