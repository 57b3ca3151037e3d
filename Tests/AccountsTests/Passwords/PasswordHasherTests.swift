@testable import Accounts

@Suite(.fiveMinutes) struct PasswordHasherTests {
    let cost: Argon2Cost

    init() throws { cost = try Argon2Cost(memory: 16, iterations: 1) }

    @Test func `without a hash, no password matches, and the work is the same`() async throws {
        let hasher = PasswordHasher(cost: cost)
        #expect(try await !hasher.verify("", nil))
        #expect(try await !hasher.verify("password", nil))
        #expect(hasher.load.done == 2)
    }

    @Test(arguments: [(1, 1), (0, 1), (-1, 1), (.min, 1), (.max, PasswordHasher.processors)])
    func `there is at least one thread, and at most one for each processor, as by default`(asked: Int, given: Int) {
        #expect(PasswordHasher(cost: cost, workers: asked).workers == given)
        #expect(PasswordHasher(cost: cost).workers == PasswordHasher.processors)
        #expect(PasswordHasher().cost == .default)
    }

    @Test func `the threads end when no password waits`() async throws {
        var hasher: PasswordHasher? = PasswordHasher(cost: cost)
        weak let threads = hasher?.threads
        _ = try await hasher?.hash("password")
        hasher = nil
        // Each thread retains the pool until it ends.
        try await waitUntil { threads == nil }
    }
}
