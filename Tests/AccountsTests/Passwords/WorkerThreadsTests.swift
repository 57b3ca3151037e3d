@testable import Accounts

@Suite(.fiveMinutes) struct WorkerThreadsTests {
    struct Failure: Error {}

    let barrier = Barrier()

    func threads(count: Int = 1, waiting: Int = 0) -> WorkerThreads {
        WorkerThreads(count: count, maximumWaiting: waiting, name: "test")
    }

    @Test func `work runs on a thread with the given name`() async throws {
        let threads = WorkerThreads(count: 1, maximumWaiting: 0, name: "some-work")
        #expect(try await threads.run { try nameOfThread() } == "some-work")
        #expect(try nameOfThread() != "some-work")
    }

    @Test func `an error of the work is thrown to the caller`() async throws {
        let threads = threads()
        await #expect(throws: Failure.self) { try await threads.run { throw Failure() } }
        #expect(threads.load.done == 1)
    }

    @Test func `threads run in parallel`() async throws {
        let threads = threads(count: 2)
        async let first: Void = threads.run { barrier.block() }
        async let second: Void = threads.run { barrier.block() }
        await barrier.arrivals.reaches(2)
        for _ in 1...2 { barrier.lift() }
        _ = try await (first, second)
        #expect(threads.load == PasswordHasher.Load(done: 2))
    }

    @Test func `a job above the limit is rejected immediately`() async throws {
        let threads = threads(waiting: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await threads.run { barrier.block() } } }
            try await waitUntil { threads.load == PasswordHasher.Load(waiting: 2, running: 1) }
            await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(1))) { try await threads.run {} }
            #expect(threads.load == PasswordHasher.Load(waiting: 2, running: 1, rejected: 1))
            for _ in 0..<3 { barrier.lift() }
            try await group.waitForAll()
        }
        try await threads.run {}
        #expect(threads.load == PasswordHasher.Load(done: 4, rejected: 1))
    }

    @Test func `idle threads accept jobs even if none may wait`() async throws {
        let threads = threads()
        for number in 0..<100 { #expect(try await threads.run { number } == number) }
    }

    // MARK: Fairness

    @Test func `of too many jobs, the newest one of the requester with the most is rejected; a cancelled one ends`()
        async throws
    {
        let threads = threads(waiting: 3)
        let flood = PasswordHasher.Requester(address: IPAddress("203.0.113.7"), account: AccountKey("a"))
        let other = PasswordHasher.Requester(address: IPAddress("203.0.113.8"), account: AccountKey("b"))
        try await threads.whileBusy { release in
            var waiting: [Task<Void, any Error>] = []
            for number in 1...3 {
                waiting.append(
                    Task { try await threads.run(for: flood) { if number == 3 { Issue.record("was done") } } }
                )
                try await waitUntil { threads.load.waiting == number }
            }
            let overloaded = CollaboratorError.overloaded(retryAfter: .seconds(1))
            await #expect(throws: overloaded) { try await threads.run(for: flood) {} }
            let newcomer = Task { try await threads.run(for: other) { "done" } }
            try await waitUntil { threads.load == PasswordHasher.Load(waiting: 3, running: 1, rejected: 2) }
            waiting[0].cancel()
            await #expect(throws: CancellationError.self) { try await waiting[0].value }
            #expect(threads.load == PasswordHasher.Load(waiting: 2, running: 1, rejected: 2))
            release()
            // After the release: otherwise, the test would not end if another job was rejected.
            await #expect(throws: overloaded) { try await waiting[2].value }
            try await waiting[1].value
            #expect(try await newcomer.value == "done")
        }
        #expect(threads.load == PasswordHasher.Load(done: 3, rejected: 2))
    }

    // MARK: Cancellation

    @Test func `a running job of a cancelled task completes`() async throws {
        let threads = threads()
        let busy = Task {
            try await threads.run {
                barrier.block()
                return "done"
            }
        }
        try await waitUntil { threads.load.running == 1 }
        busy.cancel()
        barrier.lift()
        #expect(try await busy.value == "done")
    }

    @Test func `a job of an already cancelled task does not run`() async throws {
        let threads = threads(waiting: 1)
        try await threads.whileBusy { release in
            let late = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await threads.run { _ = Issue.record("was done") }
            }
            await #expect(throws: CancellationError.self) { try await late.value }
            release()
        }
    }

    @Test func `each of many tasks gets either its result or a cancellation`() async throws {
        let threads = threads(count: 2, waiting: 1000)
        let right = try await concurrently(500) { number in
            let task = Task { try await threads.run { number } }
            if number.isMultiple(of: 2) { task.cancel() }
            switch await task.result {
            case .success(let result): return result == number
            case .failure(let error): return number.isMultiple(of: 2) && error is CancellationError
            }
        }
        #expect(right.count { $0 } == 500)
        #expect(threads.load.waiting == 0)
        #expect(threads.load.running == 0)
    }
}

/// The name of the current thread in the kernel.
private func nameOfThread() throws -> String {
    try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
}
