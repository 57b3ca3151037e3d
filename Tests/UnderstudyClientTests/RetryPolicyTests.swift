@testable import UnderstudyClient

struct RetryPolicyTests {
    @Test func `the delay doubles up to a limit`() {
        var policy = RetryPolicy()
        policy.attempts = 100
        policy.jitter = { 1 }
        #expect(
            (1...7).map { policy.delay(after: $0) }
                == [250, 500, 1000, 2000, 4000, 8000, 8000].map { .milliseconds($0) }
        )
        #expect(policy.delay(after: 99) == .seconds(8))
        #expect(policy.delay(after: 100) == nil)
    }

    @Test(arguments: [(-1, 0), (0, 0), (0.5, 125), (1, 250), (2, 250)])
    func `the delay is a random fraction of the maximum`(jitter: Double, milliseconds: Int) {
        var policy = RetryPolicy()
        policy.jitter = { jitter }
        #expect(policy.delay(after: 1) == .milliseconds(milliseconds))
    }

    @Test func `a Retry-After is added, unless it exceeds the maximum`() {
        var policy = RetryPolicy()
        policy.jitter = { 1 }
        #expect(policy.delay(after: 1, retryAfter: .seconds(30)) == .seconds(30) + .milliseconds(250))
        #expect(policy.delay(after: 1, retryAfter: .seconds(31)) == nil)
    }

    @Test(arguments: [
        ("0", Duration.zero), ("7", .seconds(7)), ("-7", nil), ("soon", nil), ("99999999999999999999", nil),
        ("9223372036854775807", .seconds(Int.max)),
    ])
    func `Retry-After is read in seconds`(value: String, duration: Duration?) {
        #expect(RemoteResponse(status: 503, headers: ["Retry-After": value]).retryAfter == duration)
    }

    @Test func `without retries each request is sent once`() { #expect(RetryPolicy.never.delay(after: 1) == nil) }

    @Test(arguments: [429, 502, 503, 504, 200, 400, 401, 404, 410, 422, 500])
    func `only a temporary rejection is retried, and reports whether the event may have run`(status: Int) async throws {
        let isRetried = [429, 502, 503, 504].contains(status)
        let transport = StubTransport(RemoteResponse(status, ""), RemoteResponse(299, ""))
        let policy = RetryPolicy.recording(in: LockedValue([]))
        let outcome = try await policy.send(RemoteRequest("GET", "/"), by: transport.send)
        #expect(outcome.response.status == (isRetried ? 299 : status))
        #expect(outcome.mayHaveRunBefore == [502, 504].contains(status))
        #expect(transport.requests.value.count == (isRetried ? 2 : 1))
    }
}
