import CMicroHTTPD
import Glibc
import ThreadExecutors

@testable import MicroHTTP

@Suite(.fiveMinutes) struct EventLoopTests {
    let gate = Latch()
    let barrier = Barrier()

    // MARK: Blocked loops

    @Test(arguments: [1, 3]) func `a blocked loop is not responsive until its handler continues`(loops: Int)
        async throws
    {
        try await withServer(StubResponder(blockingAt: barrier), configure: { $0.loops = loops }) { server in
            // A loop that waits is responsive, however long it has waited.
            #expect(try await eventually { server.isResponsive(within: .zero) })
            let client = try await server.client(sending: "/block")
            await barrier.arrivals.reaches(1)
            // Longer than the suite may take.
            #expect(server.isResponsive(within: .seconds(600)))
            #expect(try await eventually { !server.isResponsive(within: .milliseconds(30)) })
            barrier.lift()
            #expect(try await client.receive().text == "GET /block ")
            #expect(try await eventually { server.isResponsive(within: .zero) })
            await server.stop()
            #expect(server.isResponsive(within: .zero))
        }
    }

    @Test func `a loop whose handlers wait is responsive`() async throws {
        try await withClient(StubResponder(waitingAt: gate), sending: "/") { server, client async throws in
            await gate.arrivals.reaches(1)
            #expect(try await eventually { server.isResponsive(within: .zero) })
            gate.open()
            #expect(try await client.receive().status == 200)
        }
    }

    @Test(arguments: [("/blocking", ""), ("/later", "later")])
    func `a handler that blocks its loop is reported, also after it has waited, and others are not`(
        path: String,
        event: String
    ) async throws {
        let responder = StubResponder.echoing { request in
            if request.target == "/later" {
                RequestTrace.current?.request.event = "later"
                try? await RequestTrace.measure(.database, "a read") { try await offPool {} }
            }
            if request.target == path { barrier.block() }
        }
        try await withServer(responder) { server async throws in
            #expect(try await server.get("/quick").status == 200)
            let client = try await server.client(sending: path)
            await barrier.arrivals.reaches(1)
            #expect(try await eventually { !server.isResponsive(within: .seconds(3)) })
            barrier.lift()
            #expect(try await client.receive().status == 200)
            #expect(responder.blocking == ["\(path) \(event)"])
            #expect(server.statistics.accepted == 2)
        }
    }

    // MARK: Handlers that wait

    @Test(arguments: [127, 128, 129, 256])
    func `the loop does not stall, however many clients are ready simultaneously`(count: Int) async throws {
        try await withServer(StubResponder(blockingAt: barrier)) { server in
            let blocking = try await server.client()
            let clients = try await server.clients(count)
            for client in clients { #expect(try await client.receive().status == 200) }
            for round in 0..<4 {
                // All of them send while the loop is blocked, so that it finds all of them ready.
                try await blocking.ask(for: "/block")
                await barrier.arrivals.reaches(round + 1)
                for client in clients { try await client.ask(for: "/\(round)") }
                barrier.lift()
                for client in clients { #expect(try await client.receive().text == "GET /\(round) ") }
                #expect(try await blocking.receive().status == 200)
            }
        }
    }

    @Test func `a client that disconnects while its handler waits does not affect other clients`() async throws {
        let finished = Tally()
        let responder = StubResponder.echoing { request in
            if request.target != "/" { await gate.wait() }
            finished.add()
        }
        try await withServer(responder) { server in
            let resetting = try await server.client(sending: "/reset")
            let closing = try await server.client(sending: "/close")
            await gate.arrivals.reaches(2)
            await resetting.abort()
            await closing.close()
            let other = try await server.client()
            #expect(try await other.get().status == 200)
            gate.open()
            await finished.reaches(3)
            #expect(try await other.get().status == 200)
        }
    }

    @Test(arguments: [true, false])
    func `the password of a client that disconnects is not hashed any more`(isReset: Bool) async throws {
        let (waiting, dropped) = (Tally(), Tally())
        let responder = StubResponder.echoing { _ in
            do {
                try await RequestTrace.measure(.hash, "hash") {
                    waiting.add()
                    try await Task.sleep(for: .seconds(600))
                }
            } catch { dropped.add() }
        }
        try await withClient(responder, sending: "/") { _, client in
            await waiting.reaches(1)
            if isReset { await client.abort() } else { await client.close() }
            await dropped.reaches(1)
        }
    }

    @Test func `a client that only stops sending while its password waits gets its response`() async throws {
        let responder = StubResponder.echoing { _ in
            try? await RequestTrace.measure(.hash, "hash") { await gate.wait() }
        }
        try await withClient(responder, sending: "/") { _, client async throws in
            await gate.arrivals.reaches(1)
            await client.halfClose()
            #expect(try await client.receive().status == 100)
            gate.open()
            #expect(try await client.receive().text == "GET / ")
        }
    }

    @Test func `above the limit of connections, clients wait until a connection closes`() async throws {
        try await withServer(configure: { $0.maximumConnections = 2 }) { server in
            let first = try await server.client()
            let second = try await server.client()
            #expect(try await first.get("/1").status == 200)
            #expect(try await second.get("/2").status == 200)
            let third = try await server.client(sending: "/3")
            #expect(try await second.get("/2").status == 200)
            await first.close()
            #expect(try await third.receive().text == "GET /3 ")
        }
    }

    @Test
    func `a server that replaces idle connections closes the one that has waited longest, and none that is handled`()
        async throws
    {
        try await withServer(StubResponder(waitingAt: gate, for: "/slow")) {
            ($0.maximumConnections, $0.replacesIdleConnections) = (3, true)
        } test: { server in
            let slow = try await server.client(sending: "/slow")
            await gate.arrivals.reaches(1)
            // One that sends nothing, one that sends a part of a head, and one whose request is complete.
            let silent = try await server.client()
            #expect(try await eventually { server.statistics.connections == 2 })
            let partial = try await server.client()
            try await partial.send("GET / HTTP/1.1\r\nHost: ")
            #expect(try await eventually { server.statistics.connections == 3 })
            // All stay open, so that each needs the place of another one.
            var clients: [HTTPTestClient] = []
            for number in 1...20 {
                let client = try await server.client()
                #expect(try await client.get("/\(number)").text == "GET /\(number) ")
                clients.append(client)
            }
            #expect(try await silent.isClosed)
            #expect(try await partial.isClosed)
            withExtendedLifetime(clients) {}
            gate.open()
            #expect(try await slow.receive().text == "GET /slow ")
        }
    }

    @Test(arguments: [true, false])
    func `a handler that waits for something that may never happen makes room as well, also with a stream`(
        hasStream: Bool
    ) async throws {
        let responder = StubResponder { request in
            guard request.target == "/wait" else { return .echo(request) }
            let stream = hasStream ? request.testStream() : nil
            stream?.write("first;".bytes)
            request.letHandlerWait()
            // Until the task is cancelled.
            let (cancellation, continuation) = AsyncStream<Void>.makeStream()
            for await _ in cancellation {}
            withExtendedLifetime(continuation) {}
            return .text("rest")
        }
        try await withServer(responder) {
            ($0.maximumConnections, $0.replacesIdleConnections) = (3, true)
        } test: { server in
            var clients: [HTTPTestClient] = []
            for number in 1...10 {
                let waiting = try await server.client(sending: "/wait")
                let client = try await server.client()
                #expect(try await client.get("/\(number)").text == "GET /\(number) ")
                clients += [waiting, client]
            }
        }
    }

    // MARK: Where handlers run

    @Test func `a handler continues on its loop's thread, whatever it waited for`() async throws {
        let elsewhere = Elsewhere()
        let responder = StubResponder { request in
            let thread = currentThread()
            var names: [String] = []
            func check(_ name: String) { if currentThread() != thread { names.append(name) } }
            await Task.yield()
            check("a yield")
            await elsewhere.visit()
            check("an actor")
            _ = await Task.detached { await Task.yield() }.value
            check("a detached task")
            try? await Task.sleep(for: .milliseconds(1))
            check("a sleep")
            await onMainActor()
            check("the main actor")
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { await Task.yield() } }
            }
            check("a task group")
            _ = try? await offPool {}
            check("another thread")
            return .text("not on the loop after: \(names)")
        }
        try await withServer(responder) { server async throws in
            for _ in 0..<3 { #expect(try await server.get().text == "not on the loop after: []") }
        }
        #expect(await elsewhere.visits == 3)
    }

    @Test func `handlers of one loop share a thread, and each loop has its own`() async throws {
        let threads = LockedValue(Set<UInt>())
        let responder = StubResponder.echoing { _ in threads.change { _ = $0.insert(currentThread()) } }
        try await withServer(responder) { server in
            for _ in 0..<10 { _ = try await server.get() }
        }
        #expect(threads.value.count == 1)
        threads.value = []
        // The kernel distributes the connections: with enough of them, every loop gets some.
        try await withServer(responder, configure: { $0.loops = 2 }) { server in
            for _ in 0..<200 where threads.value.count < 2 { _ = try await server.get() }
        }
        #expect(threads.value.count == 2)
    }

    @Test func `a loop that has a job of its own to do runs it next, and does not wait`() async throws {
        let handler = Handler()
        Task { await handler.start() }
        try await offPool {
            let executor = handler.executor
            executor.begin()
            while handler.steps.value == 0 {
                var wakeup = pollfd(fd: executor.wakeup, events: Int16(POLLIN), revents: 0)
                if executor.prepareToWait() { poll(&wakeup, 1, -1) }
                executor.takeQueue()
                executor.runJobs()
            }
            #expect(!executor.prepareToWait())
            #expect(handler.steps.value == 1)
            executor.runJobs()
            #expect(handler.steps.value == 2)
            #expect(executor.prepareToWait())
            executor.end()
        }
    }

    @Test func `a handler that yields repeatedly does not block the loop`() async throws {
        let isDone = LockedValue(false)
        let responder = StubResponder.echoing { request in
            if request.target == "/done" { isDone.value = true }
            if request.target == "/yielding" {
                while !isDone.value && !Task.isCancelled { await Task.yield() }
            }
        }
        try await withServer(responder) { server in
            let yielding = try await server.client(sending: "/yielding")
            #expect(try await eventually { !responder.requests.isEmpty })
            #expect(try await server.get("/done").text == "GET /done ")
            #expect(try await yielding.receive().text == "GET /yielding ")
        }
    }

    // MARK: Durations

    @Test(
        arguments: [
            (.zero, 0), (.milliseconds(1), 1), (.milliseconds(1500), 1500), (.seconds(60), 60_000),
            (.microseconds(1999), 1), (.nanoseconds(999_999), 0), (.milliseconds(-1), 0), (.seconds(-3), 0),
            (.milliseconds(-3500), 0),
        ] as [(Duration, UInt64)]
    )
    func `a duration is rounded down to milliseconds, and at least 0`(duration: Duration, milliseconds: UInt64) {
        #expect(duration.milliseconds == milliseconds)
    }

    @Test func `the longest durations can be added without overflow`() {
        for duration in [Duration.seconds(Int64.max), .seconds(Int64.max) + .milliseconds(999)] {
            let milliseconds = duration.milliseconds
            #expect(milliseconds > 365 * 24 * 60 * 60 * 1000)
            #expect(!milliseconds.multipliedReportingOverflow(by: 1000).overflow)
        }
    }

    @Test func `a server runs with the highest limits`() async throws {
        let timeouts: [WritableKeyPath<ServerConfiguration, Duration>] = [
            \.idleTimeout, \.headTimeout, \.bodyTimeout, \.responseTimeout, \.receiveTimeout, \.drainTimeout,
        ]
        try await withClient {
            $0.maximumConnections = .max
            ($0.maximumBodySize, $0.maximumHeaderSize, $0.maximumTargetSize) = (.max, .max, .max)
            for timeout in timeouts { $0[keyPath: timeout] = .seconds(Int64.max) }
        } test: { _, client async throws in
            #expect(try await client.request("POST", "/", body: [UInt8](repeating: 0, count: 100_000)).status == 200)
            #expect(try await client.response(to: chunkedHead + "1\r\na\r\n0\r\n\r\n").text == "POST / a")
        }
    }
}

/// Which thread this is.
private func currentThread() -> UInt { UInt(pthread_self()) }

@MainActor private func onMainActor() {}

/// Has an executor whose thread is a test's, and two steps to run, the second as a job of its own.
private actor Handler {
    nonisolated let executor = ThreadExecutor(wakeup: CMicroHTTPD_event_descriptor())
    nonisolated let steps = LockedValue(0)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func start() {
        steps.value = 1
        Task { takeSecondStep() }
    }

    func takeSecondStep() { steps.value = 2 }
}

private actor Elsewhere {
    private(set) var visits = 0

    func visit() { visits += 1 }
}
