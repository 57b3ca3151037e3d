import BusinessLogic
import HTTPMessages
import RateLimiting
import UnderstudyPages

/// Limits the rate of requests from one address.
struct RequestLimit: Sendable {
    private let addresses: AddressLimit

    /// The limit of a service; `nil` if it has none.
    ///
    /// - Parameter former: the limit that it replaces, whose requests it counts.
    init?(_ configuration: ServiceConfiguration, replacing former: RequestLimit? = nil) {
        guard let rate = configuration.requests else { return nil }
        let addresses = AddressLimit(rate, limitsLoopback: configuration.limitsLoopback)
        self.addresses =
            former.map { addresses.replacing($0.addresses, at: configuration.clock.steady) } ?? addresses
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
        let rate = addresses.rate
        throw Problem(
            .tooManyRequests,
            "There may be \(rate.count) requests from one address in \(rate.seconds) seconds.",
            retryAfter: wait,
            quota: rate
        )
    }
}
