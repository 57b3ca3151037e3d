public import HTTPMessages
public import UnderstudyPages
import UnderstudySessions

/// Responds to browsers with HTML instead of JSON.
///
/// It is a client of the service: it sends the service requests of its own, and makes HTML of the responses. The service calls it on an
/// event loop, which it must not block, and for any number of requests at the same time.
public protocol BrowserPages: Sendable {
    /// The path below which their links lead: the service's ``ServiceConfiguration/pathPrefix``.
    var pathPrefix: PathPrefix { get }

    /// Whether it responds to a request, rather than the service. The service asks this for each request, so that it must be quick.
    ///
    /// - Parameters:
    ///   - request: the browser's request.
    ///   - isEvent: whether the request posts an event to one of the service's pages, so that no other document has its path.
    func responds(to request: Request, isEvent: Bool) -> Bool

    /// Responds to a request for which ``responds(to:isEvent:)`` is true.
    ///
    /// - Parameters:
    ///   - request: the browser's request.
    ///   - service: responds to a request as the service does without this. All requests count as one, for limits and in the access log,
    ///     which contains the last event that is sent to the path of the browser's request, and the final response's status.
    func respond(to request: Request, service: @escaping (Request) async -> Response) async -> Response

    /// The response to a request that the server rejects before the service, because it is too large for example.
    ///
    /// - Parameters:
    ///   - problem: the response to other clients.
    ///   - request: the request, with the header fields that the server has read.
    func response(for problem: Response, to request: Request) -> Response
}

extension UnderstudyService {
    func respond(_ pages: any BrowserPages, to request: Request, _ record: inout RequestRecord) async -> Response {
        let rejection: Response?
        do {
            try limitRequests(request)
            rejection = nil
        } catch {
            rejection = problemResponse(to: error, of: request, &record)
        }
        let outcome = PartsOutcome(record)
        var response = await pages.respond(to: request) { inner in
            if let rejection {
                outcome.hasPassedRejection = true
                return rejection
            }
            guard inner.method == request.method, inner.path == request.path else {
                var other = RequestRecord()
                return await self.answer(inner, &other, isLimited: false)
            }
            return await self.answer(inner, &outcome.record, isLimited: false)
        }
        record = outcome.record
        if let rejection {
            // For a static file, the pages do not ask the service.
            return outcome.hasPassedRejection ? response : rejection
        }
        await startSession(with: &response, to: request, record)
        return response
    }

    /// Starts a session with a browser's first page: idempotency keys belong to a session, so that a form that is sent twice
    /// has one effect only in a session that both requests know.
    private func startSession(with response: inout Response, to request: Request, _ record: RequestRecord) async {
        guard request.method == .get, record.page != nil, response.status == 200 else { return }
        let credential = credential(of: request)
        let hasStarted = response.fields.contains {
            $0.name == .setCookie && $0.value.hasPrefix("\(configuration.cookieName)=")
        }
        guard !hasStarted, !credential.isBearer,
            (try? await withSession(of: credential) { _ in Response(status: 204) }) == nil,
            let token = try? await startSession(for: request)
        else { return }
        response.headers.append(sessionCookie.field(token))
    }
}

private final class PartsOutcome {
    var record: RequestRecord
    var hasPassedRejection = false

    init(_ record: RequestRecord) {
        self.record = record
    }
}
