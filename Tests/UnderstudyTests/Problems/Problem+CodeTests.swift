import BusinessLogic
import HTTPMessages
import Testing

@testable import Understudy
@testable import UnderstudyPages

@Suite struct ProblemCodeTests {
    @Test(arguments: [
        ("malformedRequest", 400), ("malformedJSON", 400), ("malformedBody", 400), ("invalidParameter", 400),
        ("notAuthenticated", 401), ("crossSite", 403), ("unknownPage", 404), ("unknownProblem", 404),
        ("notRecorded", 404),
        ("methodNotAllowed", 405), ("historyGone", 410), ("bodyTooLarge", 413), ("targetTooLong", 414),
        ("unsupportedMediaType", 415), ("unknownEvent", 422), ("missingField", 422), ("wrongFieldType", 422),
        ("unknownField", 422), ("idempotencyKeyReused", 422), ("tooManyRequests", 429), ("headersTooLarge", 431),
        ("internal", 500), ("unsupportedTransferCoding", 501), ("overloaded", 503), ("unavailable", 503),
        ("misdirectedRequest", 421), ("answerTimeout", 504), ("unsupportedHTTPVersion", 505),
    ])
    func `a code has its status`(code: String, status: Int) {
        #expect(Problem.Code(rawValue: code)?.status == status)
    }

    @Test(arguments: Problem.Code.allCases)
    func `a code's page explains it in plain text`(code: Problem.Code) async {
        let service = UnderstudyService(pages: [])
        let answer = await service.send(Request(.get, "/problems/\(code.rawValue)"))
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(answer.text.contains(code.rawValue))
        #expect(answer.text.contains(String(code.status)))
        #expect(answer.text.contains(code.title))
        #expect(answer.text.hasSuffix("\(code.explanation)\n"))
        #expect(code.explanation.hasSuffix("."))
    }

    @Test func `no two codes have the same title or explanation`() {
        let codes = Problem.Code.allCases
        #expect(Set(codes.map(\.title)).count == codes.count)
        #expect(Set(codes.map(\.explanation)).count == codes.count)
    }

    @Test(arguments: ["nonsense", "Internal", "internal/", "", "%69nternal"])
    func `the page of an unknown code gets 404`(code: String) async throws {
        let service = UnderstudyService(pages: [])
        let answer = await service.send(Request(.get, "/problems/\(code)"))
        #expect(answer.status == 404)
        if code.isEmpty {
            #expect(try answer.code == "unknownPage")
        } else {
            #expect(try answer.code == "unknownProblem")
            #expect(try answer["codes"]?.array?.count == Problem.Code.allCases.count)
        }
    }
}
