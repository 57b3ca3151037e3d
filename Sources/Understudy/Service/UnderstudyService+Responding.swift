import BusinessLogic
import Logging
public import HTTPMessages
import RateLimiting
import Tracing
import UnderstudyPages

/// The path of a request through the service: a list of stages.
extension UnderstudyService: Responder {
    /// The response to a request, with all its header fields.
    ///
    /// Any number of tasks may call this at the same time. Limits for addresses count the request for its `clientAddress`. The
    /// service does not check the `Host` header: that is the task of the server that received the request.
    public func respond(to request: Request) async -> Response {
        var record = RequestRecord(trace: RequestTrace.current)
        var response =
            if RequestTrace.isTracing, let tracer {
                await respond(to: request, &record, tracer)
            } else {
                await respond(to: request, &record)
            }
        // After the report, which contains the status of a problem although a stream has the status 200.
        switch record.delivery {
        case .atOnce: break
        case .stream(let stream): stream.finish(&response)
        case .openStream: response.status = Response.streamGoesOn
        }
        return consume response
    }

    private func respond(to request: Request, _ record: inout RequestRecord, _ tracer: any Tracer) async -> Response {
        record.trace?.use(tracer)
        var response = Response(status: 500)
        await tracer.requestSpan(of: request) { span in
            response = await respond(to: request, &record)
            record.describe(response, in: span)
        }
        return response
    }

    @inline(__always)
    private func respond(to request: Request, _ record: inout RequestRecord) async -> Response {
        if request.method == .post { record.page = pages[path: request.target] }
        var response =
            if configuration.browserPages?.responds(to: request, isEvent: record.page != nil) == true,
                let pages = configuration.browserPages
            {
                await respond(pages, to: request, &record)
            } else {
                await answer(request, &record)
            }
        addHeaders(to: &response, of: request)
        if configuration.isDevelopment { response.headers.append(record.serverTiming) }
        report(response, to: request, record)
        return consume response
    }

    /// The response lacks the header fields of every response. If `isLimited`, the request counts for the limit of its address.
    func answer(_ request: Request, _ record: inout RequestRecord, isLimited: Bool = true) async -> Response {
        do {
            if isLimited { try limitRequests(request) }
            try request.requireSameSite(orOneOf: configuration.allowedOrigins)
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
        if let pages = configuration.browserPages { response = pages.response(for: response, to: request) }
        addHeaders(to: &response, of: request)
        reportRejection(problem, of: request)
        return response
    }
}

extension UnderstudyService {
    /// A GET of `/livez` or `/readyz` does not count.
    func limitRequests(_ request: Request) throws(Problem) {
        guard let limit = requestLimit, !isProbe(request),
            let wait = limit.take(
                request.clientAddress,
                isForwarded: request.isForwarded,
                at: configuration.clock.steady
            )
        else { return }
        throw Problem(
            .tooManyRequests,
            "There may be \(limit.rate.count) requests from one address in \(limit.rate.seconds) seconds.",
            retryAfter: wait,
            quota: limit.rate
        )
    }
}

extension UnderstudyService {
    func problemResponse(to error: any Error, of request: Request, _ record: inout RequestRecord) -> Response {
        let known = problem(behind: error)
        if known == nil { logFailure(of: request, error) }
        let problem = known ?? Problem(.internal, configuration.isDevelopment ? "\(error)" : nil)
        if !isProbe(request) { metrics.count(problem: problem.code) }
        record.problem = problem.code
        // Any other name may be a secret: the client has sent the value without its name.
        let field = problem.field.flatMap { record.page?.field($0)?.name }
        record.reason = RequestReason(field: field)
        return problem.response(id: request.id, below: configuration.pathPrefix, in: languages?[request.headers])
    }

    private func logFailure(of request: Request, _ error: any Error) {
        logger.error(
            "The request failed",
            metadata: [
                "request": "\(request.id)", "method": "\(request.method)", "path": "\(request.path)",
                "error": "\(error)",
            ]
        )
    }

    /// `nil` if the client must not learn the error.
    private func problem(behind error: any Error) -> Problem? {
        guard error is CancellationError else { return Problem(error) }
        return Problem(.overloaded, "The event was cancelled while it waited for its session.", retryAfter: .seconds(1))
    }
}

/// The stage that adds the header fields of every response: those in `CommonHeaders`, and those that let
/// scripts of allowed origins read the response.
extension UnderstudyService {
    func addHeaders(to response: inout Response, of request: Request) {
        response.addCommonHeaders(requestID: request.id)
        let origins = configuration.allowedOrigins
        if !origins.origins.isEmpty {
            let fields = origins.headers(for: request)
            // Scripts of all sites may read a static file, which already says so.
            if !fields.isEmpty, response.header(AllowedOrigins.header) == nil { response.headers += fields }
        }
        if configuration.isDevelopment { reportOrigin(of: request) }
    }

    /// Logs why a browser does not let a script of another site read the response.
    private func reportOrigin(of request: Request) {
        guard let origin = request.headers.first(.origin), let host = request.headers[.host],
            !configuration.allowedOrigins.contains(origin)
        else { return }
        let text = String(decoding: origin, as: UTF8.self)
        if text.hasSuffix("://\(host)") { return }
        logger.warning("The origin is not in allowed-origins", metadata: ["origin": "\(text)"])
    }
}

extension UnderstudyService {
    func report(_ response: Response, to request: Request, _ record: RequestRecord) {
        let elapsed = record.elapsed
        let isProbe = isProbe(request)
        let status = response.status
        if !isProbe { metrics.count(record, status: status, after: elapsed) }
        guard let accessLog else { return }
        accessLog.log(
            AccessLogEntry(request: request, record: record, status: status, duration: elapsed, isProbe: isProbe)
        )
    }

    /// The metrics contain no probes: while a server starts or stops, 503 is the right response.
    private func isProbe(_ request: Request) -> Bool {
        (request.method == .get || request.method == .head) && configuration.pathPrefix.isProbe(request.path)
    }

    func reportRejection(_ problem: Problem, of request: Request) {
        metrics.count(problem: problem.code)
        var record = RequestRecord()
        record.problem = problem.code
        let status = problem.code.status
        accessLog?.log(AccessLogEntry(request: request, record: record, status: status, isRejection: true))
    }

    /// Counts and logs a controller that has blocked its event loop.
    public func loopWasBlocked(by request: RequestDescription?, for duration: Duration) {
        metrics.countBlockedLoop()
        var metadata = request?.metadata ?? [:]
        metadata["duration"] = .stringConvertible(duration / .milliseconds(1))
        logger.warning("A controller blocked its event loop; all other clients of the loop waited", metadata: metadata)
    }
}
