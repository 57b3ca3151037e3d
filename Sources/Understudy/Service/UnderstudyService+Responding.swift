import BusinessLogic
import Logging
public import HTTPMessages
import Tracing
import UnderstudyPages

/// The path of a request through the service: a list of stages, each of which has a file in `Stages`.
extension UnderstudyService: Responder {
    /// The response to a request, with all its header fields.
    ///
    /// Any number of tasks may call this at the same time. Limits for addresses count the request for its `clientAddress`. The
    /// service does not check the `Host` header: that is the task of the server that received the request.
    public func respond(to request: Request) async -> Response {
        let trace = RequestTrace.current
        if RequestTrace.isTracing, let tracer { return await respond(to: request, trace, tracer) }
        return await respond(to: request, trace, nil)
    }

    /// Responds in a span.
    private func respond(to request: Request, _ trace: RequestTrace?, _ tracer: any Tracer) async -> Response {
        trace?.use(tracer)
        var response: Response?
        await tracer.requestSpan(of: request) { span in response = await respond(to: request, trace, span) }
        return response ?? Response(status: 500)
    }

    private func respond(to request: Request, _ trace: RequestTrace?, _ span: (any Tracing.Span)?) async -> Response {
        var record = RequestRecord(trace: trace)
        if request.method == .post { record.page = pages[path: request.target] }
        var response =
            if let pages = configuration.browserPages, pages.responds(to: request, isEvent: record.page != nil) {
                await respond(pages, to: request, &record)
            } else {
                await answer(request, &record)
            }
        addHeaders(to: &response, of: request)
        if configuration.isDevelopment { response.headers.append(record.serverTiming) }
        report(response, to: request, record)
        if let span { record.describe(response, in: span) }
        // After the report, which contains the status of a problem although a stream has the status 200.
        switch record.delivery {
        case .atOnce: break
        case .stream(let stream): stream.finish(&response)
        case .openStream: response.status = Response.streamGoesOn
        }
        return consume response
    }

    /// The response without the header fields of every response.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - record: what the access log and the metrics report.
    ///   - isLimited: whether the request counts for the limit of its address.
    func answer(
        _ request: Request,
        _ record: inout RequestRecord,
        isLimited: Bool = true
    ) async -> Response {
        do {
            if isLimited { try limitRequests(request) }
            try requireSameSite(request)
            // Without the asynchronous call of the routes, which allocates a frame.
            if request.method == .post, let page = record.page {
                record.trace?.request.page = page.name
                return try await post(request, to: page, &record)
            }
            return try await route(request, &record)
        } catch {
            return problemResponse(to: error, of: request, &record)
        }
    }

    /// The response to a request that the engine has rejected.
    public func reject(_ rejection: RequestRejection, of request: Request) -> Response {
        let problem = Problem(rejection)
        var response = problem.response(
            id: request.id,
            below: configuration.pathPrefix,
            in: languages?[request.headers]
        )
        addHeaders(to: &response, of: request)
        reportRejection(problem, of: request)
        return response
    }
}
