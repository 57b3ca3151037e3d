import BusinessLogic
import HTTPMessages
import RateLimiting
import UnderstudyOpenAPI
import UnderstudyPages

/// Limits the rate of requests from one address.
struct RequestLimit: Sendable {
    private let addresses: AddressLimit

    /// - Parameter limitsLoopback: whether the limit also applies to this machine's own addresses.
    init(_ rate: Rate, limitsLoopback: Bool) {
        addresses = AddressLimit(rate, limitsLoopback: limitsLoopback)
    }

    /// Forgets all requests.
    func reset() { addresses.reset() }

    /// Counts a request. Requests to `/livez` and `/readyz` do not count.
    ///
    /// - Throws: ``Problem`` `tooManyRequests`.
    func admit(_ request: Request, below prefix: PathPrefix, clock: any WallClock) throws(Problem) {
        let isProbe = request.method != .post && prefix.isProbe(request.path)
        guard !isProbe,
            let wait = addresses.take(
                request.clientAddress,
                isForwarded: request.isForwarded,
                at: clock.steady
            )
        else { return }
        let quota = Problem.Quota(rate: addresses.rate)
        throw Problem(
            .tooManyRequests,
            "There may be \(quota.rate.count) requests from one address in \(quota.seconds) seconds.",
            retryAfter: wait,
            quota: quota
        )
    }
}
