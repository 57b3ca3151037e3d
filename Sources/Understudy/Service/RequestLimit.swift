import BusinessLogic
import MicroHTTP
import RateLimiting

/// How many requests may come from one address.
struct RequestLimit: Sendable {
    private let addresses: AddressLimit

    /// - Parameter limitsLoopback: whether this machine's own addresses are limited, too.
    init(_ rate: Rate, limitsLoopback: Bool) {
        addresses = AddressLimit(rate, limitsLoopback: limitsLoopback)
    }

    /// Counts a request. Whoever watches over the process may ask at any time whether it is well.
    ///
    /// - Throws: ``Problem`` `tooManyRequests`.
    func admit(_ request: Request, below prefix: PathPrefix, clock: any WallClock) throws(Problem) {
        let isProbe = request.method != .post && prefix.isProbe(request.path)
        guard !isProbe,
            let wait = addresses.take(
                request.clientAddress,
                isForwarded: request.isForwarded,
                at: clock.now
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
