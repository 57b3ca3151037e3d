import RateLimiting
import MicroHTTP

extension Problem {
    /// What may be asked of the server, and how often; used up. As draft-ietf-httpapi-ratelimit-headers tells it.
    struct Quota: Equatable {
        let rate: Rate

        /// The interval in whole seconds.
        var seconds: Int64 { rate.interval.wholeSeconds }

        /// `RateLimit-Policy` and `RateLimit`.
        func headers(retryAfter: Duration) -> [(name: HeaderName, value: String)] {
            [
                ("RateLimit-Policy", "\"requests\";q=\(rate.count);w=\(seconds)"),
                ("RateLimit", "\"requests\";r=0;t=\(retryAfter.wholeSeconds)"),
            ]
        }
    }
}

extension Duration {
    /// Whole seconds, rounded up, at least one.
    var wholeSeconds: Int64 {
        let (seconds, attoseconds) = components
        return max(1, seconds + (attoseconds > 0 ? 1 : 0))
    }
}
