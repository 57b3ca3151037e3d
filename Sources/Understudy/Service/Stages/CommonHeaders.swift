import HTTPMessages

/// The stage that adds the header fields of every response: those in `UnderstudyPages/HTTP/CommonHeaders+Service.swift`, and those that let
/// scripts of allowed origins read the response.
extension UnderstudyService {
    @inline(__always)
    func addHeaders(to response: inout Response, of request: Request) {
        response.addCommonHeaders(requestID: request.id)
        let origins = configuration.allowedOrigins
        if !origins.origins.isEmpty { response.headers += origins.headers(for: request) }
    }
}
