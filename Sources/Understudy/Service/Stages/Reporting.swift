import Logging
public import HTTPMessages
import UnderstudyPages

/// The stage that counts and logs responses.
extension UnderstudyService {
    func report(_ response: Response, to request: Request, _ record: RequestRecord) {
        let elapsed = record.elapsed
        let isProbe = isProbe(request, record)
        if !isProbe { metrics.count(record, status: response.status, after: elapsed) }
        accessLog.write(request, record, status: response.status, after: elapsed, isProbe: isProbe)
    }

    /// Whether a request is a probe. The metrics contain none: while a server starts or stops, 503 is the right response.
    func isProbe(_ request: Request, _ record: RequestRecord) -> Bool {
        record.page == nil && configuration.pathPrefix.isProbe(request.path)
    }

    func reportRejection(_ problem: Problem, of request: Request) {
        metrics.count(problem: problem.code)
        accessLog.write(rejection: problem, of: request)
    }

    /// Counts and logs a controller that has blocked its event loop.
    public func loopWasBlocked(by request: RequestDescription?, for duration: Duration) {
        metrics.countBlockedLoop()
        var metadata = request?.metadata ?? [:]
        metadata["duration"] = .stringConvertible(duration / .milliseconds(1))
        logger.warning("A controller blocked its event loop; all other clients of the loop waited", metadata: metadata)
    }
}
