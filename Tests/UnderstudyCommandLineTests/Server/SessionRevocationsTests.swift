@testable import UnderstudyCommandLine

@Suite(.fiveMinutes) struct SessionRevocationsTests {
    let workplace = Workplace()

    @MainActor @Test(arguments: [nil, CollaboratorError.outage()])
    func `calls that wait share one read of the store, or its outage`(outage: CollaboratorError?) async throws {
        let reading = Latch()
        let revocations = SessionRevocations(last: LastRevocation()) { _ in
            await reading.wait()
            if let outage { throw outage }
            return []
        }
        revocations.connect(to: UnderstudyService(pages: []))
        let first = Task { try await revocations.follow() }
        while reading.arrivals.count == 0 { await Task.yield() }
        // Each runs until it waits, before the last one runs.
        let others = (1...20).map { _ in Task { try await revocations.follow() } }
        await Task {}.value
        reading.open()
        for task in [first] + others {
            do {
                try await task.value
                #expect(outage == nil)
            } catch {
                #expect(error as? CollaboratorError == outage)
            }
        }
        #expect(reading.arrivals.count == 2)
    }

    @Test func `a store that no other process writes is read only after a write or a failure`() async throws {
        let writes = LockedValue(0)
        let reads = LockedValue(0)
        let isFailing = LockedValue(false)
        let revocations = SessionRevocations(last: LastRevocation()) {
            writes.value
        } read: { _ in
            reads.change { $0 += 1 }
            if isFailing.value { throw CancellationError() }
            return []
        }
        revocations.connect(to: UnderstudyService(pages: []))
        for _ in 1...2 { try await revocations.follow() }
        #expect(reads.value == 1)
        writes.change { $0 += 1 }
        isFailing.value = true
        for _ in 1...2 { await #expect(throws: CancellationError.self) { try await revocations.follow() } }
        #expect(reads.value == 3)
        isFailing.value = false
        for _ in 1...2 { try await revocations.follow() }
        #expect(reads.value == 4)
    }

    @Test func `a login after a change of the account stays, also in the moment after the change`() async throws {
        try await workplace.add("selina@example.com")
        try await workplace.withOperatedServer { ports, _ in
            for _ in 1...3 {
                let selina = try await loggedIn(ports.users, "selina@example.com")
                let former = try await loggedIn(ports.users)
                try await workplace.run("account logout bruce@example.com")
                let session = try await loggedIn(ports.users)
                try await get("/session", session, ports.users).expect()
                try await get("/session", former, ports.users).expect(status: 401)
                // When this one ends, the server has ended all that the first command ends.
                try await workplace.run("account logout selina@example.com")
                #expect(try await eventually { try await get("/session", selina, ports.users).status == 401 })
                try await get("/session", session, ports.users).expect()
            }
        }
    }
}
