package import HTTPMessages

extension CommonHeaders {
    /// The header fields that every response of the service has, with `X-Request-ID`.
    package static let service = CommonHeaders([(.cacheControl, "no-store"), ("X-Content-Type-Options", "nosniff")])
}

extension Response {
    /// Adds the header fields that every response of the service has, unless the response has those of its language.
    package mutating func addCommonHeaders(requestID: String) {
        if common == nil { common = .service }
        self.requestID = requestID
    }
}
