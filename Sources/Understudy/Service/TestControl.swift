import BusinessLogic
import HTTPMessages
import Logging
package import UnderstudyPages

/// The endpoints below `/test` on the port for operators, with which a test controls a server: its clock, and a reset.
package struct TestControl: Sendable {
    private let clock: AdvanceableClock
    private let restoreData: @Sendable () async throws -> Void

    /// Creates the endpoints.
    ///
    /// - Parameters:
    ///   - clock: the clock of the whole process.
    ///   - restoreData: resets everything that the service does not store itself, such as accounts, to what it was after the start. No
    ///     request runs meanwhile. If it throws, it must have changed nothing.
    package init(clock: AdvanceableClock, restoreData: @escaping @Sendable () async throws -> Void) {
        self.clock = clock
        self.restoreData = restoreData
    }

    /// The paths of the endpoints.
    static let paths = ["/test/clock", "/test/reset"]

    /// The response to a request; `nil` if its path is not one of ``paths``.
    ///
    /// - Throws: ``Problem``; what resetting the service or its data throws.
    func respond(to request: Request, for service: UnderstudyService) async throws -> Response? {
        guard Self.paths.contains(where: { request.path.utf8.elementsEqual($0.utf8) }) else { return nil }
        // No other site is allowed, whatever the service allows.
        try request.requireSameSite(orOneOf: AllowedOrigins())
        switch (request.path, request.method) {
        case ("/test/clock", .get), ("/test/clock", .head):
            return showClock()
        case ("/test/clock", .post):
            try advanceClock(request)
            service.logger.info("The clock has been advanced", metadata: ["now": "\(clock.now)"])
            return showClock()
        case ("/test/reset", .post):
            try requireNoParameters(request)
            try await service.reset(clock, restoreData)
            service.logger.info("The server has been reset")
            return Response(status: 204)
        default:
            let allowed: [Method] = request.path == "/test/reset" ? [.post] : [.get, .head, .post]
            throw Problem(methodNotAllowed: request.method, allowed: allowed)
        }
    }

    private func showClock() -> Response {
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

    /// - Throws: ``Problem`` unless the body is missing or `{}`.
    private func requireNoParameters(_ request: Request) throws(Problem) {
        if request.body.isEmpty, request.headers.count(of: "content-type") == 0 { return }
        guard try Submission.jsonObject(request)?.isEmpty == true else {
            throw Problem(
                .malformedBody,
                "The body must be missing, or an object without members (curl --json '{}').",
                members: ["pointer": ""]
            )
        }
    }
}

extension Duration {
    /// What ``init(written:)`` reads, for an error.
    package static let writtenForm = "a number with ms, s, m, h or d, such as 30m"

    /// The duration that a person writes as `90` or `90s`, `30m`, `12h`, `7d` or `250ms`; `nil` for any other text, and for more than
    /// 1,000,000,000 units.
    package init?(written text: String) {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = Int64(Substring(digits)), number <= 1_000_000_000 else { return nil }
        let unit = Array(text.utf8[digits.endIndex...])
        switch String(decoding: unit, as: UTF8.self) {
        case "", "s": self = .seconds(number)
        case "ms": self = .milliseconds(number)
        case "m": self = .seconds(60 * number)
        case "h": self = .seconds(3600 * number)
        case "d": self = .seconds(86_400 * number)
        default: return nil
        }
    }
}
