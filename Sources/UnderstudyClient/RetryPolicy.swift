/// How often a request is sent, and the delays between the attempts.
///
/// A request is sent again if there is no response, or if the status is 429, 502, 503 or 504.
///
/// The maximum delay doubles with each attempt up to a limit. The actual delay is a random fraction of it, so that clients
/// that failed at the same time do not retry at the same time. The server's `Retry-After` is added to the delay.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts. A number less than 1 counts as 1.
    public var attempts = 4
    /// The maximum delay before the second attempt.
    public var firstDelay: Duration = .milliseconds(250)
    /// The maximum delay before any attempt, without the server's `Retry-After`.
    public var maximumDelay: Duration = .seconds(8)
    /// The maximum `Retry-After` that is honoured. If the server requires more, its error is thrown at once.
    public var maximumRetryAfter: Duration = .seconds(30)
    /// Returns the fraction of the maximum delay to wait, from 0 to 1 inclusive.
    package var jitter: @Sendable () -> Double = { .random(in: 0...1) }
    /// Waits for a duration. Throws if the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates a policy of four attempts, with delays of up to 0.25, 0.5 and 1 second.
    public init() {}

    /// A policy of a single attempt for each request.
    public static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }

    /// `nil` if there is no further attempt.
    func delay(after attempt: Int, retryAfter: Duration? = nil) -> Duration? {
        let retryAfter = retryAfter ?? .zero
        guard attempt < attempts, retryAfter <= maximumRetryAfter else { return nil }
        let maximum = min(maximumDelay, firstDelay * Double(1 << min(attempt - 1, 20)))
        return retryAfter + maximum * min(1, max(0, jitter()))
    }

    struct Outcome {
        let response: RemoteResponse
        let mayHaveRunBefore: Bool
    }

    typealias Exchange = @Sendable (RemoteRequest) async throws -> RemoteResponse

    /// Sends a request until it gets a response that is not a temporary rejection, or the attempts are used up. The request must be
    /// idempotent.
    func send(_ request: RemoteRequest, by exchange: Exchange) async throws -> Outcome {
        var mayHaveRunBefore = false
        var attempt = 1
        while true {
            try Task.checkCancellation()
            let delay: Duration
            do {
                let response = try await exchange(request)
                guard response.isTemporaryRejection,
                    let next = self.delay(after: attempt, retryAfter: response.retryAfter)
                else {
                    return Outcome(response: response, mayHaveRunBefore: mayHaveRunBefore)
                }
                if !response.hasNotRun { mayHaveRunBefore = true }
                delay = next
            } catch {
                try Task.checkCancellation()
                if error is RemoteError { throw error }
                guard let next = self.delay(after: attempt) else { throw RemoteError.transport(error) }
                mayHaveRunBefore = true
                delay = next
            }
            try await sleep(delay)
            attempt += 1
        }
    }
}

extension RemoteResponse {
    /// Whether another attempt may succeed.
    fileprivate var isTemporaryRejection: Bool { [429, 502, 503, 504].contains(status) }

    /// Whether the service guarantees that the event has not run. A proxy (502, 504) cannot guarantee it.
    fileprivate var hasNotRun: Bool { status == 429 || status == 503 }

    /// `nil` if the header `Retry-After` is not a number of seconds.
    var retryAfter: Duration? { headers["retry-after"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : .seconds($0) } }
}
