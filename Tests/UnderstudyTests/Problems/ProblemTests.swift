import BusinessLogic
import MicroHTTP
import Testing

@testable import Understudy

@Suite struct ProblemTests {
    @Test func `a problem is told as RFC 9457 has it`() throws {
        let problem = Problem(.missingField, "Mind the gap.", members: ["field": "a", "fields": ["a", "b"]])
        let answer = Answer(problem.response(id: "some-id"))
        #expect(answer.status == 422)
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(
            try answer.json
                == json(
                    #"""
                    {"type":"/problems/missingField","title":"A field is missing","status":422,"detail":"Mind the gap.",
                     "code":"missingField","field":"a","fields":["a","b"],"requestID":"some-id"}
                    """#
                )
        )
    }

    @Test func `without detail there is no such member`() throws {
        let answer = Answer(Problem(.internal).response(id: "some-id"))
        #expect(
            try answer.json
                == json(
                    #"""
                    {"type":"/problems/internal","title":"Something went wrong on the server","status":500,
                     "code":"internal","requestID":"some-id"}
                    """#
                )
        )
    }

    @Test(
        arguments: [
            (.zero, "1"), (.milliseconds(1), "1"), (.milliseconds(1001), "2"), (.seconds(1), "1"), (.seconds(30), "30"),
            (.milliseconds(29_999), "30"), (.seconds(-5), "1"), (.seconds(3600), "3600"),
        ] as [(Duration, String)]
    )
    func `when to try again is told in whole seconds, rounded up, at least one`(duration: Duration, seconds: String) {
        let answer = Answer(Problem(.overloaded, retryAfter: duration).response(id: ""))
        #expect(answer.header("Retry-After") == seconds)
    }

    @Test func `a header is there where it says something`() {
        let allowing = Answer(Problem(.methodNotAllowed, allow: [.get, .post]).response(id: ""))
        #expect(allowing.header("Allow") == "GET, POST")
        #expect(Answer(Problem(.notAuthenticated).response(id: "")).header("WWW-Authenticate") == "Bearer")
        let plain = Answer(Problem(.unknownPage).response(id: ""))
        #expect(plain.header("Allow") == nil)
        #expect(plain.header("WWW-Authenticate") == nil)
        #expect(plain.header("Retry-After") == nil)
    }

    // MARK: What refusals become

    @Test(
        arguments: [
            (.malformedRequest("Why."), .malformedRequest, [:]),
            (.misdirectedRequest(host: "a"), .misdirectedRequest, ["host": "a"]),
            (.unsupportedTransferCoding, .unsupportedTransferCoding, [:]),
            (.unsupportedHTTPVersion, .unsupportedHTTPVersion, [:]),
            (.targetTooLong(limit: 7), .targetTooLong, ["limit": 7]),
            (.headersTooLarge(limit: 7), .headersTooLarge, ["limit": 7]),
            (.bodyTooLarge(limit: 7), .bodyTooLarge, ["limit": 7]),
            (.responseTimeout, .answerTimeout, [:]), (.stopping, .unavailable, [:]),
        ] as [(RequestRejection, Problem.Code, Value.Object)]
    )
    func `a refusal of the server is a problem`(refusal: RequestRejection, code: Problem.Code, members: Value.Object) {
        let problem = Problem(refusal)
        #expect(problem.code == code)
        #expect(problem.members == members)
        #expect(problem.detail?.isEmpty == false)
        #expect((problem.retryAfter != nil) == (code == .unavailable))
    }

    // MARK: What errors become

    @Test(
        arguments: [
            (.unavailable(retryAfter: .seconds(7)), .unavailable), (.overloaded(retryAfter: .seconds(7)), .overloaded),
            (.tooManyRequests(retryAfter: .seconds(7)), .tooManyRequests),
        ] as [(CollaboratorError, Problem.Code)]
    )
    func `what a collaborator throws on purpose is a problem`(error: CollaboratorError, code: Problem.Code) {
        let problem = Problem(error)
        #expect(problem?.code == code)
        #expect(problem?.retryAfter == .seconds(7))
    }

    @Test(
        arguments: [
            (.unknownEvent("a", events: ["b", "c"]), .unknownEvent, ["event": "a", "events": ["b", "c"]]),
            (.missingField("a", fields: ["a", "b"]), .missingField, ["field": "a", "fields": ["a", "b"]]),
            (
                .wrongFieldType("a", expected: .number, fields: ["a", "b"]), .wrongFieldType,
                ["field": "a", "expected": "number", "fields": ["a", "b"]]
            ),
        ] as [(EventError, Problem.Code, Value.Object)]
    )
    func `a refused event is a problem`(error: EventError, code: Problem.Code, members: Value.Object) {
        let problem = Problem(error)
        #expect(problem?.code == code)
        #expect(problem?.members == members)
        #expect(problem?.detail?.contains("'a'") == true)
    }

    @Test func `a problem stays what it is`() {
        let problem = Problem(.unknownField, "Why.", members: ["field": "a"])
        #expect(Problem(problem as any Error) == problem)
    }

    @Test func `any other error is nobody's business`() {
        #expect(Problem(Outage()) == nil)
        #expect(Problem(CancellationError()) == nil)
    }
}
