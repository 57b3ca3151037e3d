import MicroHTTP

/// A service whose responses go over TLS. It adds the header field `Strict-Transport-Security` (RFC 6797), so that browsers
/// use only https for one year.
struct StrictTransport: Responder {
    let service: UnderstudyService
    private let commonHeaders = CommonHeaders(
        CommonHeaders.service.fields + [("Strict-Transport-Security", "max-age=31536000")]
    )

    init(_ service: UnderstudyService) {
        self.service = service
    }

    func respond(to request: Request) async -> Response {
        var response = await service.respond(to: request)
        response.common = commonHeaders
        return response
    }

    func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        var response = service.reject(rejection, of: request)
        response.common = commonHeaders
        return response
    }

    func loopWasBlocked(by request: Request?, for duration: Duration) {
        service.loopWasBlocked(by: request, for: duration)
    }
}
