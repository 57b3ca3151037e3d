import BusinessLogic
import Logging
import MicroHTTP

/// The stage that turns an error into a response.
extension UnderstudyService {
    func problemResponse(to error: any Error, of request: Request) -> Response {
        let language = languages?[request.headers]
        if let problem = problem(behind: error) {
            metrics.count(problem: problem.code)
            return problem.response(id: request.id, below: configuration.pathPrefix, in: language)
        }
        metrics.count(problem: .internal)
        logger.error(
            "The request failed",
            metadata: [
                "request": "\(request.id)", "method": "\(request.method)", "path": "\(request.path)",
                "error": "\(error)",
            ]
        )
        return Problem(.internal).response(id: request.id, below: configuration.pathPrefix, in: language)
    }

    /// The problem to report to the client; `nil` if the client must not learn the error.
    private func problem(behind error: any Error) -> Problem? {
        guard error is CancellationError else { return Problem(error) }
        return Problem(.overloaded, "The event was cancelled while it waited for its session.", retryAfter: .seconds(1))
    }
}
