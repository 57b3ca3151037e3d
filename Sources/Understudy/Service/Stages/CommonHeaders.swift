import MicroHTTP

/// The stage that adds the header fields of every response.
extension UnderstudyService {
    /// The header fields that every response has, with `X-Request-ID`.
    static let commonHeaders = CommonHeaders([(.cacheControl, "no-store"), ("X-Content-Type-Options", "nosniff")])

    func addCommonHeaders(to response: inout Response, of request: Request) {
        response.addCommonHeaders(requestID: request.id)
    }
}

extension Response {
    /// Adds the header fields that every response of the service has.
    mutating func addCommonHeaders(requestID: String) {
        common = UnderstudyService.commonHeaders
        self.requestID = requestID
    }
}
