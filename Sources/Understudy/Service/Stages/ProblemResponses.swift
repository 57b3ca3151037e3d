import BusinessLogic
import Logging
import MicroHTTP

/// The stage that turns an error into a response.
extension UnderstudyService {
    func problemResponse(to error: any Error, of request: Request) -> Response {
        if let problem = problem(behind: error) {
            metrics.count(refusal: problem.code)
            return problem.response(id: request.id, below: configuration.pathPrefix)
        }
        metrics.count(refusal: .internal)
        logger.error(
            "The request failed",
            metadata: [
                "request": "\(request.id)", "method": "\(request.method)", "path": "\(request.path)",
                "error": "\(error)",
            ]
        )
        return Problem(.internal).response(id: request.id, below: configuration.pathPrefix)
    }

    /// The problem that a client is told of; `nil` where it may not know what went wrong.
    private func problem(behind error: any Error) -> Problem? {
        guard error is CancellationError else { return Problem(error) }
        return Problem(.overloaded, "The event's turn did not come in time.", retryAfter: .seconds(1))
    }
}
