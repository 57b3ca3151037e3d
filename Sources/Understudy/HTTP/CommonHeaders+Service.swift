import MicroHTTP

extension CommonHeaders {
    /// The header fields that every response of the service has, with `X-Request-ID`.
    static let service = CommonHeaders([(.cacheControl, "no-store"), ("X-Content-Type-Options", "nosniff")])
}

extension Response {
    /// Adds the header fields that every response of the service has.
    mutating func addCommonHeaders(requestID: String) {
        common = .service
        self.requestID = requestID
    }
}
