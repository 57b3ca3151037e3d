import BusinessLogic
import Logging
import HTTPMessages
import UnderstudyPages

/// The stage that turns an error into a response.
extension UnderstudyService {
    func problemResponse(to error: any Error, of request: Request, _ record: inout RequestRecord) -> Response {
        let known = problem(behind: error)
        if known == nil { logFailure(of: request, error) }
        let problem = known ?? Problem(.internal, configuration.isDevelopment ? "\(error)" : nil)
        if !isProbe(request, record) { metrics.count(problem: problem.code) }
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

    /// The problem to report to the client; `nil` if the client must not learn the error.
    private func problem(behind error: any Error) -> Problem? {
        guard error is CancellationError else { return Problem(error) }
        return Problem(.overloaded, "The event was cancelled while it waited for its session.", retryAfter: .seconds(1))
    }
}
