import HTTPMessages

/// What a server serves of a service that clients use over https, or that can be reset.
///
/// Over https, with the server's own TLS or that of a proxy, it adds the header field `Strict-Transport-Security` (RFC 6797) to each response,
/// so that browsers use only https for one year. The requests of a service that can be reset run between resets.
struct ServedService: Responder {
    let service: UnderstudyService
    private static let field: HeaderField = ("Strict-Transport-Security", "max-age=31536000")

    /// The common headers of the service's responses, each with those that replace them; empty over http.
    private let commonHeaders: [(service: CommonHeaders, strict: CommonHeaders)]

    init(_ service: UnderstudyService, isSecure: Bool) {
        self.service = service
        let headers = isSecure ? [.service] + (service.languages?.all.map(\.headers) ?? []) : []
        commonHeaders = headers.map { (service: $0, strict: CommonHeaders($0.fields + [Self.field])) }
    }

    func respond(to request: Request) async -> Response {
        var response =
            if service.resetGate == nil {
                await service.respond(to: request)
            } else {
                await service.betweenResets { await service.respond(to: request) }
            }
        addHeader(to: &response)
        return response
    }

    func prepareStream(_ head: inout Response, of request: Request) { addHeader(to: &head) }

    func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        var response = service.reject(rejection, of: request)
        addHeader(to: &response)
        return response
    }

    private func addHeader(to response: inout Response) {
        if commonHeaders.isEmpty { return }
        if let common = commonHeaders.first(where: { $0.service == response.common }) {
            response.common = common.strict
        } else {
            // A static file or a document has common headers of its own.
            response.headers.append(Self.field)
        }
    }

    func loopWasBlocked(by request: RequestDescription?, for duration: Duration) {
        service.loopWasBlocked(by: request, for: duration)
    }
}
