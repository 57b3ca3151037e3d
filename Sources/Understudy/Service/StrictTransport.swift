import MicroHTTP

/// A service whose responses go over TLS. It adds the header field `Strict-Transport-Security` (RFC 6797), so that browsers
/// use only https for one year.
struct StrictTransport: Responder {
    let service: UnderstudyService
    /// The common headers of the service's responses, each with those that replace them.
    private let commonHeaders: [(service: CommonHeaders, strict: CommonHeaders)]

    init(_ service: UnderstudyService) {
        self.service = service
        commonHeaders = ([.service] + (service.languages?.all.map(\.headers) ?? [])).map {
            (service: $0, strict: CommonHeaders($0.fields + [("Strict-Transport-Security", "max-age=31536000")]))
        }
    }

    func respond(to request: Request) async -> Response {
        var response = await service.respond(to: request)
        addHeader(to: &response)
        return response
    }

    func prepareStream(_ head: inout Response, of request: Request) {
        addHeader(to: &head)
    }

    func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        var response = service.reject(rejection, of: request)
        addHeader(to: &response)
        return response
    }

    private func addHeader(to response: inout Response) {
        response.common = commonHeaders.first { $0.service == response.common }?.strict ?? commonHeaders[0].strict
    }

    func loopWasBlocked(by request: Request?, for duration: Duration) {
        service.loopWasBlocked(by: request, for: duration)
    }
}
