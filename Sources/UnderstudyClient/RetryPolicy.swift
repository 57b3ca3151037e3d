/// How often a request is sent that has got no answer, and how long to wait in between.
///
/// The wait doubles with each attempt up to a limit, and is a random part of that, so that clients that were refused
/// together do not come back together. What the server asks for by `Retry-After` comes on top.
public struct RetryPolicy: Sendable {
    /// How often a request is sent at most; less than 1 counts as 1.
    public var attempts = 4
    /// The longest wait before the second attempt.
    public var firstDelay: Duration = .milliseconds(250)
    /// The longest wait before any attempt, beside what the server asks for.
    public var maximumDelay: Duration = .seconds(8)
    /// The longest that the server may ask to wait. Where it asks for more, its refusal is thrown at once.
    public var maximumRetryAfter: Duration = .seconds(30)
    /// Says which part of the wait is waited, from 0 to 1.
    public var jitter: @Sendable () -> Double = { .random(in: 0...1) }
    /// Waits that long. Throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Four attempts within some seconds.
    public init() {}

    /// Each request is sent once.
    public static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }

    /// How long to wait after that many attempts; `nil` where there is to be no other.
    func delay(after attempt: Int, retryAfter: Duration? = nil) -> Duration? {
        let asked = retryAfter ?? .zero
        guard attempt < attempts, asked <= maximumRetryAfter else { return nil }
        let longest = min(maximumDelay, firstDelay * Double(1 << min(attempt - 1, 20)))
        return asked + longest * min(1, max(0, jitter()))
    }
}

extension RetryPolicy {
    /// An answer, and whether the service may have got the request more than once.
    struct Outcome {
        let response: RemoteResponse
        let mayHaveRunBefore: Bool
    }

    /// Sends a request until there is an answer that is no mere refusal for now. Sending it again has to be safe.
    ///
    /// - Throws: ``RemoteError/transport(_:)``, or `CancellationError`.
    func send(_ request: RemoteRequest, by transport: any Transport) async throws -> Outcome {
        var mayHaveRunBefore = false
        var attempt = 1
        while true {
            try Task.checkCancellation()
            let wait: Duration
            do {
                let response = try await transport.send(request)
                guard response.isRefusedForNow, let delay = delay(after: attempt, retryAfter: response.retryAfter)
                else {
                    return Outcome(response: response, mayHaveRunBefore: mayHaveRunBefore)
                }
                if !response.hasSurelyNotRun { mayHaveRunBefore = true }
                wait = delay
            } catch {
                try Task.checkCancellation()
                if error is RemoteError { throw error }
                guard let delay = delay(after: attempt) else { throw RemoteError.transport(error) }
                mayHaveRunBefore = true
                wait = delay
            }
            try await sleep(wait)
            attempt += 1
        }
    }
}

extension RemoteResponse {
    /// Whether another attempt may get another answer.
    fileprivate var isRefusedForNow: Bool { [429, 502, 503, 504].contains(status) }

    /// Whether the service says that nothing ran. A proxy's words (502, 504) do not tell.
    fileprivate var hasSurelyNotRun: Bool { status == 429 || status == 503 }

    /// How long the server asks to wait, where it says so in seconds.
    var retryAfter: Duration? {
        headers["retry-after"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : .seconds($0) }
    }
}
