import BusinessLogic
import Dispatch
import Testing

@testable import Accounts

@Suite(.timeLimit(.minutes(1))) struct PasswordHasherTests {
    private let cost: Argon2Cost

    init() throws {
        cost = try Argon2Cost(memory: 16, iterations: 1)
    }

    @Test func `a password is its own, and no other is`() async throws {
        let hasher = try PasswordHasher(cost: cost)
        let hash = try await hasher.hash("correct horse battery staple")
        #expect(hash.hasPrefix("$argon2id$v=19$m=16,t=1,p=1$"))
        #expect(try await hasher.verify("correct horse battery staple", hash))
        #expect(try await !hasher.verify("incorrect horse battery staple", hash))
        #expect(hasher.load == PasswordHasher.Load(done: 3))
    }

    @Test func `where there is no hash, no password is right, and the work is done`() async throws {
        let hasher = try PasswordHasher(cost: cost)
        #expect(try await !hasher.verify("", nil))
        #expect(try await !hasher.verify("password", nil))
        #expect(hasher.load.done == 2)
    }

    @Test(arguments: [
        "", "password",
        "$argon2id$v=19$m=4194304,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$PVkT+RsEM8nNcOyCQwR/uzNjIHXOTcTgHLJomjf/wkw",
    ])
    func `for a hash that cannot be read, no password is right`(hash: String) async throws {
        let hasher = try PasswordHasher(cost: cost)
        #expect(try await !hasher.verify("password", hash))
        #expect(hasher.needsRehash(hash))
    }

    @Test func `a hash of a smaller cost needs to be made anew`() async throws {
        let hasher = try PasswordHasher(cost: cost)
        #expect(hasher.cost == cost)
        #expect(try await !hasher.needsRehash(hasher.hash("password")))
        #expect(try hasher.needsRehash(Argon2id(cost: Argon2Cost(memory: 8, iterations: 1)).hash("password")))
    }

    @Test func `too many at once are refused, and the others get their answers`() async throws {
        let hasher = try PasswordHasher(cost: cost, workers: 1, maximumWaiting: 1)
        let hash = try await hasher.hash("password")
        let gate = DispatchSemaphore(value: 0)
        async let busy: Void = hasher.threads.run { gate.wait() }
        while hasher.load.running == 0 { await Task.yield() }
        async let waiting = hasher.verify("password", hash)
        while hasher.load != PasswordHasher.Load(waiting: 1, running: 1, done: 1) { await Task.yield() }
        let overloaded = CollaboratorError.overloaded(retryAfter: .seconds(1))
        await #expect(throws: overloaded) { try await hasher.verify("password", hash) }
        await #expect(throws: overloaded) { try await hasher.verify("password", nil) }
        await #expect(throws: overloaded) { try await hasher.hash("password") }
        #expect(hasher.load.rejected == 3)
        gate.signal()
        #expect(try await waiting)
        try await busy
    }

    @Test func `many tasks at once get the answers to their own passwords`() async throws {
        let hasher = try PasswordHasher(cost: cost, maximumWaiting: 200)
        let hash = try await hasher.hash("password 7")
        let right = try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<100 {
                group.addTask { try await hasher.verify("password \(number)", hash) ? number : nil }
            }
            return try await group.reduce(into: [Int]()) { numbers, number in
                if let number { numbers.append(number) }
            }
        }
        #expect(right == [7])
    }

    @Test(arguments: [(1, 1), (0, 1), (-1, 1), (.min, 1), (.max, PasswordHasher.processors)])
    func `there is at least one thread, and at most one a processor`(asked: Int, given: Int) throws {
        #expect(try PasswordHasher(cost: cost, workers: asked).workers == given)
    }

    @Test func `as many threads as there are processors, unless said otherwise`() throws {
        #expect(try PasswordHasher(cost: cost).workers == PasswordHasher.processors)
        #expect(try PasswordHasher().cost == .default)
    }

    @Test func `its threads end when it is released`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        var hasher: PasswordHasher? = try PasswordHasher(
            cost: cost,
            workers: PasswordHasher.processors,
            maximumWaiting: 1,
            onThreadEnd: { end.yield() }
        )
        weak let threads = hasher?.threads
        _ = try await hasher?.hash("password")
        hasher = nil
        var iterator = ends.makeAsyncIterator()
        for _ in 0..<PasswordHasher.processors { await iterator.next() }
        // A thread lets go of the object right after it has said so.
        while threads != nil { await Task.yield() }
    }
}
