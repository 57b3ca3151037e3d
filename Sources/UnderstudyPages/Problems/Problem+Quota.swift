import HTTPMessages
package import RateLimiting

extension Rate {
    /// The interval in whole seconds, rounded up.
    package var seconds: Int64 { interval.wholeSeconds }

    /// The header fields `RateLimit-Policy` and `RateLimit` for a client that has used up the rate (draft-ietf-httpapi-ratelimit-headers).
    func headers(retryAfter: Duration) -> [(name: HeaderName, value: String)] {
        [
            ("RateLimit-Policy", "\"requests\";q=\(count);w=\(seconds)"),
            ("RateLimit", "\"requests\";r=0;t=\(retryAfter.wholeSeconds)"),
        ]
    }
}

extension Duration {
    /// Whole seconds, rounded up, at least 1.
    var wholeSeconds: Int64 {
        let (seconds, attoseconds) = components
        return max(1, seconds + (attoseconds > 0 ? 1 : 0))
    }
}
