@testable import Understudy

struct ResetGateTests {
    let log = LockedValue<[String]>([])

    func note(_ text: String) { log.append(text) }

    @Test func `a reset waits for all that have entered`() async throws {
        let gate = ResetGate(patience: .seconds(600))
        for _ in 1...2 { await gate.enter() }
        async let reset: Void = gate.reset { note("reset") }
        for number in 1...2 {
            note("left \(number)")
            gate.leave()
        }
        try await reset
        #expect(log.value == ["left 1", "left 2", "reset"])
    }

    @Test func `what enters during a reset waits until its end`() async throws {
        let gate = ResetGate(patience: .seconds(600))
        let entering = LockedValue<[Task<Void, Never>]>([])
        try await gate.reset { () async throws in
            for _ in 1...3 {
                let task = Task {
                    await gate.enter()
                    note("entered")
                    gate.leave()
                }
                entering.append(task)
            }
            // Until each has either entered or waits.
            #expect(try await eventually { gate.waiting + log.value.count == 3 })
            note("reset")
        }
        for task in entering.value { await task.value }
        #expect(log.value == ["reset", "entered", "entered", "entered"])
        try await gate.reset { note("again") }
        #expect(log.value.last == "again")
    }

    @Test func `resets run one after the other`() async throws {
        let gate = ResetGate(patience: .seconds(600))
        let running = LockedValue(0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    try await gate.reset {
                        running.change { $0 += 1 }
                        await Task.yield()
                        #expect(running.value == 1)
                        running.change { $0 -= 1 }
                    }
                }
                group.addTask {
                    await gate.enter()
                    #expect(running.value == 0)
                    gate.leave()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a reset that waits for too long does nothing, and others continue`() async throws {
        let gate = ResetGate(patience: .milliseconds(1))
        await gate.enter()
        await #expect(throws: CollaboratorError.overloaded(retryAfter: .seconds(1))) {
            try await gate.reset { note("reset") }
        }
        await gate.enter()
        gate.leave()
        gate.leave()
        #expect(log.value == [])
        try await gate.reset { note("reset") }
        #expect(log.value == ["reset"])
    }

    @Test func `an error of a reset opens the gate again`() async throws {
        let gate = ResetGate()
        await #expect(throws: CancellationError.self) { try await gate.reset { throw CancellationError() } }
        await gate.enter()
        gate.leave()
    }
}
