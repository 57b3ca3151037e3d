import Foundation
import Glibc

/// What a server does to its process. Each test runs in a new process.
///
/// The tests run one after the other, because each one blocks a thread of the cooperative pool while its process runs.
@Suite(.serialized, .fiveMinutes) struct ProcessTests {
    @Test func `50 servers that start and stop under load leave no descriptor open`() async {
        await #expect(processExitsWith: .success) {
            let before = await openDescriptorsOfRuntime()
            for _ in 0..<50 { try await serveUnderLoad() }
            try #require(settlesDescriptors(at: before))
        }
    }

    @Test func `servers that stop before their handlers leave no descriptor open`() async {
        await #expect(processExitsWith: .success) {
            let before = await openDescriptorsOfRuntime()
            for _ in 0..<5 { try await serveHandlersThatDoNotAnswer() }
            try #require(settlesDescriptors(at: before))
        }
    }

    @Test func `a server that cannot start leaves no descriptor open`() async {
        await #expect(processExitsWith: .success) {
            let before = await openDescriptorsOfRuntime()
            var limit = 0
            // Allows one more descriptor each time, until there are enough.
            while await !serves(withDescriptorsBelow: limit) {
                limit += 1
                // With an unsupported library, the server never starts.
                try #require(limit < 1000)
                try #require(settlesDescriptors(at: before))
            }
            try #require(settlesDescriptors(at: before))
            try #require(limit > 0)
        }
    }

    @Test func `a client that connects while no descriptor is left is accepted when one is free`() async {
        await #expect(processExitsWith: .success) {
            try await withServer { server in
                let first = try await server.client()
                _ = try await first.get()
                let next = dup(0)
                close(next)
                // The client's end takes the last descriptor.
                let second = try await withLimit(RLIMIT_NOFILE, Int(next) + 1) {
                    let client = try await server.client(sending: "/")
                    // Long enough for the server to try. Task.sleep would need a descriptor.
                    poll(nil, 0, 300)
                    return client
                }
                await first.close()
                try #require(try await second.receive().status == 200)
            }
        }
    }

    @Test func `a stream does not keep what it has sent, even if its client never receives everything`() async {
        await #expect(processExitsWith: .success) {
            var content = Request.Content()
            content.connectionCache = ConnectionCache()
            content.connectionCache?.connection = NoConnection()
            let stream = try #require(Request(content).testStream(capacity: 64 * 1024))
            stream.write([1])
            // 200 MB, of which one byte always waits.
            try await withMemory(left: 100 << 20) {
                var part = [UInt8](repeating: 1, count: 1000)
                for _ in 1...200_000 {
                    try #require(stream.write(part))
                    try #require(part.withUnsafeMutableBytes { stream.read(into: $0) } == .bytes(1000))
                }
            }
        }
    }

    @Test func `a server accepts no client while memory is short, and accepts clients again afterwards`() async {
        await #expect(processExitsWith: .success) {
            try await withServer { server in
                let before = try await server.client()
                try #require(try await before.get().status == 200)
                try await withMemory(left: 6 << 20) {
                    let during = try await server.client()
                    try #require(try await during.isClosed)
                    try #require(try await before.get().status == 200)
                }
                try #require(try await server.get().status == 200)
            }
        }
    }

    @Test(.enabled(if: TestCertificate.canBeMade))
    func `a TLS client that never completes its handshake costs almost no processor time`() async {
        await #expect(processExitsWith: .success) {
            try await withTLSServer { server, _ in
                let client = try await server.client()
                try await client.send("\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}")
                let (before, start) = (processorTime(), ContinuousClock.now)
                try await Task.sleep(for: .milliseconds(500))
                // The share of one processor.
                try #require((processorTime() - before) / start.duration(to: .now) < 0.5)
                await client.close()
            }
        }
    }

    @Test func `a request that is complete only after the drain deadline gets no handler`() async {
        // libmicrohttpd aborts the process if a connection waits for its handler when the daemon stops.
        await #expect(processExitsWith: .success) {
            let (gate, barrier) = (Latch(), Barrier())
            let responder = StubResponder(
                handler: { request in
                    await gate.wait()
                    return .echo(request)
                },
                whileRejecting: { _ in barrier.block() }
            )
            try await withClient(responder, configure: { $0.drainTimeout = .milliseconds(50) }) { server, client in
                try await client.ask()
                let late = try await server.client()
                try await late.send(postHead(length: 10) + "hello")
                await gate.arrivals.reaches(1)
                async let stopped: Void = server.stop()
                // The deadline has passed: the loop is about to reject the first request.
                await barrier.arrivals.reaches(1)
                try await late.send("there")
                barrier.lift()
                // A second rejection must not wait at the barrier.
                barrier.lift()
                await stopped
                #expect(try await client.receive().status == 502)
                gate.open()
            }
        }
    }
}

/// The processor time that this process has used.
private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Starts a server, sends it requests from several clients, and stops it while they do.
private func serveUnderLoad() async throws {
    let answered = Tally()
    let responder = StubResponder.echoing { request in
        if request.target == "/later" { try? await Task.sleep(for: .milliseconds(1)) }
        answered.add()
    }
    try await withServer(responder, configure: { $0.loops = 2 }) { server in
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    // Until the server has stopped.
                    while let client = try? await server.client() {
                        for target in ["/", "/later", "/"] { _ = try? await client.get(target) }
                        if number.isMultiple(of: 2) { await client.abort() }
                    }
                }
            }
            group.addTask {
                await answered.reaches(30)
                await server.stop()
            }
        }
    }
}

/// Starts a server, stops it while its handlers wait, and lets them continue afterwards.
private func serveHandlersThatDoNotAnswer() async throws {
    let gate = Latch()
    let responder = StubResponder.echoing { request in
        if request.target == "/cancelled" {
            gate.arrivals.add()
            try? await Task.sleep(for: .seconds(600))
        } else {
            await gate.wait()
        }
    }
    try await withServer(responder, configure: { $0.drainTimeout = .milliseconds(50) }) { server in
        for target in ["/cancelled", "/waiting"] { _ = try await server.client(sending: target) }
        await gate.arrivals.reaches(2)
    }
    gate.open()
}

/// The number of open descriptors of this process, after Swift's runtime has opened those for its timers.
///
/// The runtime opens one for each clock at its first timer, and ends the process if it cannot. Swift Testing may start such a timer at any
/// time.
private func openDescriptorsOfRuntime() async -> Int {
    try? await Task.sleep(for: .milliseconds(1), clock: .continuous)
    try? await Task.sleep(for: .milliseconds(1), clock: .suspending)
    return openDescriptors()
}

/// The number of open descriptors of this process, except timers and pipes, which a server never opens. Swift's runtime may open timers at
/// any time, and the thread sanitizer opens pipes to the process that finds the names of functions.
private func openDescriptors() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { ($0.prefix { $0 != 0 }).text }
        var target = [CChar](repeating: 0, count: 64)
        let size = readlink("/proc/self/fd/\(name)", &target, target.count)
        guard size > 0 else { continue }
        let kind = target[..<size].map(UInt8.init(bitPattern:)).text
        if !kind.contains("timerfd"), !kind.hasPrefix("pipe:") { count += 1 }
    }
    return count
}

/// Whether this process has at most that many descriptors within half a minute.
///
/// An event loop closes its last descriptors when its thread ends, a moment after the server has stopped.
private func settlesDescriptors(at count: Int) -> Bool {
    for _ in 0..<3000 {
        if openDescriptors() <= count { return true }
        // Task.sleep may open a descriptor for its timer, and Swift's runtime traps if no descriptor is left.
        usleep(10_000)
    }
    return false
}

/// Starts and stops a server with four loops while the process may have only descriptors below `limit`. Returns whether the server started.
private func serves(withDescriptorsBelow limit: Int) async -> Bool {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.loops = 4
    let server = await withLimit(RLIMIT_NOFILE, limit) { [configuration] in
        try? Server(configuration: configuration, responder: StubResponder())
    }
    await server?.stop()
    return server != nil
}

/// Runs `body` while this process may map at most `left` more bytes of memory.
private func withMemory(left: Int, _ body: () async throws -> Void) async throws {
    let pages = try #require(
        try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first.flatMap { Int($0) }
    )
    try await withLimit(RLIMIT_AS, pages * Int(getpagesize()) + left, body)
}

/// Runs `body` while this process may use only that much of a resource.
private func withLimit<Result>(
    _ resource: __rlimit_resource,
    _ limit: Int,
    _ body: () async throws -> Result
) async rethrows -> Result {
    let resource = __rlimit_resource_t(resource.rawValue)
    var old = rlimit()
    getrlimit(resource, &old)
    var new = rlimit(rlim_cur: rlim_t(limit), rlim_max: old.rlim_max)
    setrlimit(resource, &new)
    defer { setrlimit(resource, &old) }
    return try await body()
}

/// A connection that sends nothing.
private final class NoConnection: StreamConnection {
    func signal(_ stream: ResponseStream) {}
    func suspendStream() {}
    func endStream(_ stream: ResponseStream, with rest: [UInt8]) {}
    func letHandlerWait(requestNumber: Int) {}
}
