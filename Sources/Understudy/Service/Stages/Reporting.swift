import Logging
public import MicroHTTP

/// The stage that counts and logs what the service has done.
extension UnderstudyService {
    func report(_ response: Response, to request: Request, _ record: borrowing RequestRecord) {
        let elapsed = record.elapsed
        metrics.count(record, status: response.status, after: elapsed)
        accessLog.write(request, record, status: response.status, after: elapsed)
    }

    func reportRejection(_ problem: Problem, of request: Request) {
        metrics.count(refusal: problem.code)
        accessLog.write(refused: problem, id: request.id)
    }

    /// Logs that a controller has blocked an event loop, and counts it.
    public func loopWasBlocked(by request: Request?, for duration: Duration) {
        metrics.countBlockedLoop()
        var metadata: Logger.Metadata = ["duration": .stringConvertible(duration / .milliseconds(1))]
        if let request {
            metadata["request"] = .string(request.id)
            metadata["path"] = .string(String(request.path.prefix(100)))
        }
        logger.warning("A controller held its event loop; all other clients of the loop waited", metadata: metadata)
    }
}
