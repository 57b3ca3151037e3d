package import RateLimiting
import HTTPMessages

extension Problem {
    /// A limit on the number of requests that the client has used up, for the headers of draft-ietf-httpapi-ratelimit-headers.
    package struct Quota: Equatable {
        package let rate: Rate

        package init(rate: Rate) {
            self.rate = rate
        }

        /// The interval in whole seconds, rounded up.
        package var seconds: Int64 { rate.interval.wholeSeconds }

        /// The header fields `RateLimit-Policy` and `RateLimit`.
        func headers(retryAfter: Duration) -> [(name: HeaderName, value: String)] {
            [
                ("RateLimit-Policy", "\"requests\";q=\(rate.count);w=\(seconds)"),
                ("RateLimit", "\"requests\";r=0;t=\(retryAfter.wholeSeconds)"),
            ]
        }
    }
}

extension Duration {
    /// Whole seconds, rounded up, at least 1.
    var wholeSeconds: Int64 {
        let (seconds, attoseconds) = components
        return max(1, seconds + (attoseconds > 0 ? 1 : 0))
    }
}
