@testable import UnderstudyPages

struct ProblemTests {
    @Test(
        arguments: [
            (
                Problem(.missingField, "Mind the gap.", members: ["field": "a", "fields": ["a", "b"]]),
                #"""
                {"type":"/problems/missingField","title":"A field is missing","status":422,"detail":"Mind the gap.",
                 "code":"missingField","field":"a","fields":["a","b"],"requestID":"some-id"}
                """#
            ),
            (
                Problem(.internal),
                #"""
                {"type":"/problems/internal","title":"Something went wrong on the server","status":500,
                 "code":"internal","requestID":"some-id"}
                """#
            ),
        ]
    )
    func `a problem is written as in RFC 9457`(problem: Problem, json: String) throws {
        let answer = problem.response(id: "some-id")
        #expect(answer.status == problem.code.status)
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(try JSONReader.read(answer.body) == decoded(Value.self, from: json))
    }

    @Test(
        arguments: [
            (.zero, "1"), (.milliseconds(1), "1"), (.milliseconds(1001), "2"), (.seconds(1), "1"), (.seconds(30), "30"),
            (.milliseconds(29_999), "30"), (.seconds(-5), "1"), (.seconds(3600), "3600"),
        ] as [(Duration, String)]
    )
    func `Retry-After is in whole seconds, rounded up, at least one`(duration: Duration, seconds: String) {
        #expect(Problem(.overloaded, retryAfter: duration).response(id: "").header("Retry-After") == seconds)
    }

    @Test func `a problem's headers contain only those that apply`() {
        #expect(Problem(.methodNotAllowed, allow: [.get, .post]).response(id: "").header("Allow") == "GET, POST")
        #expect(Problem(.notAuthenticated).response(id: "").header("WWW-Authenticate") == "Bearer")
        let plain = Problem(.unknownPage).response(id: "")
        #expect(plain.header("Allow") == nil)
        #expect(plain.header("WWW-Authenticate") == nil)
        #expect(plain.header("Retry-After") == nil)
    }

    @Test(arguments: Problem.Code.allCases)
    func `the table contains each problem`(code: Problem.Code) {
        #expect((400..<600).contains(code.status) && !code.title.isEmpty && code.explanation.hasSuffix("."))
    }

    // MARK: From rejections

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
    func `each rejection by the engine becomes a problem`(
        rejection: RequestRejection,
        code: Problem.Code,
        members: Value.Object
    ) {
        let problem = Problem(rejection)
        #expect(problem.code == code)
        #expect(problem.members == members)
        #expect(problem.detail?.isEmpty == false)
        #expect((problem.retryAfter != nil) == (code == .unavailable))
    }

    // MARK: From errors

    @Test func `a problem names the part that is unavailable`() {
        let problem = Problem(CollaboratorError.unavailable(retryAfter: .seconds(7), part: "accounts"))
        #expect(problem?.members == ["part": "accounts"])
        #expect(problem?.detail == "The event needs the part 'accounts' of the service, which is unavailable.")
        #expect(Problem(CollaboratorError.unavailable(retryAfter: .seconds(7)))?.members == [:])
    }

    @Test(
        arguments: [
            (.unavailable(retryAfter: .seconds(7)), .unavailable), (.overloaded(retryAfter: .seconds(7)), .overloaded),
            (.tooManyRequests(retryAfter: .seconds(7)), .tooManyRequests),
        ] as [(CollaboratorError, Problem.Code)]
    )
    func `a CollaboratorError becomes a problem`(error: CollaboratorError, code: Problem.Code) {
        let problem = Problem(error)
        #expect(problem?.code == code)
        #expect(problem?.retryAfter == .seconds(7))
    }

    @Test(
        arguments: [
            (.unknownEvent("a", events: ["b", "c"]), .unknownEvent, ["event": "a", "events": ["b", "c"]]),
            (.missingField("a", fields: ["a", "b"]), .missingField, ["field": "a", "fields": ["a", "b"]]),
            (
                .wrongFieldType("a", expected: ExpectedValue(.number, example: 1), fields: ["a", "b"]), .wrongFieldType,
                ["field": "a", "expected": "number", "example": 1, "fields": ["a", "b"]]
            ),
            (
                .wrongFieldType(
                    "a",
                    expected: ExpectedValue(.string, format: "date", example: "2026-02-28"),
                    fields: ["a"]
                ), .wrongFieldType,
                ["field": "a", "expected": "string", "format": "date", "example": "2026-02-28", "fields": ["a"]]
            ),
        ] as [(EventError, Problem.Code, Value.Object)]
    )
    func `an EventError becomes a problem`(error: EventError, code: Problem.Code, members: Value.Object) {
        let problem = Problem(error)
        #expect(problem?.code == code)
        #expect(problem?.members == members)
        #expect(problem?.detail?.contains("'a'") == true)
    }

    @Test func `a thrown problem stays unchanged`() {
        let problem = Problem(.unknownField, "Why.", members: ["field": "a"])
        #expect(Problem(problem as any Error) == problem)
    }

    @Test func `no other error becomes a problem`() {
        #expect(Problem(Outage()) == nil)
        #expect(Problem(CancellationError()) == nil)
    }
}
