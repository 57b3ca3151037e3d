import BusinessLogic
import HTTPMessages
import Logging
import UnderstudyPages

extension TestControl {
    /// `GET /test/clock` and `POST /test/clock`.
    func handleClock(_ request: Request, _ service: UnderstudyService) throws(Problem) -> Response {
        if request.method == .post {
            try advanceClock(request)
            service.logger.info("The clock has been advanced", metadata: ["now": "\(clock.now)"])
        }
        let milliseconds = Timestamp(milliseconds: 0) + clock.advanced
        return .json(["now": .string(clock.now.description), "advanced": Value(Int(milliseconds.milliseconds))])
    }

    private func advanceClock(_ request: Request) throws(Problem) {
        guard let body = try Submission.jsonObject(request), body.count == 1, let value = body["advance"],
            let duration = value.string.flatMap(Duration.init(written:))
        else {
            throw Problem(
                .malformedBody,
                "The body must be an object with one member: 'advance', \(Duration.writtenForm) (curl --json '{\"advance\":\"30m\"}').",
                members: ["pointer": "/advance"]
            )
        }
        guard clock.advance(by: duration) else {
            throw Problem(
                .malformedBody,
                "The clock can be advanced by at most ten years (3650d) in all, until POST /test/reset.",
                members: ["pointer": "/advance"]
            )
        }
    }
}
