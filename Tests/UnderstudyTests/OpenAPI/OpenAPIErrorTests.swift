import BundledPages
import BusinessLogic
import HTTPMessages
import TestSupport
import Testing

@testable import Understudy
@testable import UnderstudyPages

struct OpenAPIErrorTests {
    /// A request that is rejected.
    struct RejectedRequest: Sendable, CustomTestStringConvertible {
        let code: String
        let method: String
        /// The path in the document.
        let path: String
        var target: String?
        var header: (name: HeaderName, value: String) = (.contentType, "application/json")
        var body = ""

        var testDescription: String { "\(code) at \(method) \(path)" }
    }

    private static let rejected = [
        RejectedRequest(code: "malformedJSON", method: "POST", path: "/login", body: "{"),
        RejectedRequest(code: "malformedBody", method: "POST", path: "/login", body: "[]"),
        RejectedRequest(code: "invalidParameter", method: "POST", path: "/login", header: ("Idempotency-Key", "")),
        RejectedRequest(
            code: "notAuthenticated",
            method: "POST",
            path: "/products",
            header: ("Authorization", "Bearer nobody")
        ),
        RejectedRequest(code: "crossSite", method: "POST", path: "/login", header: ("Sec-Fetch-Site", "cross-site")),
        RejectedRequest(
            code: "unsupportedMediaType",
            method: "POST",
            path: "/login",
            header: ("Content-Type", "text/plain")
        ),
        RejectedRequest(code: "unknownEvent", method: "POST", path: "/login", body: #"{"event": "x"}"#),
        RejectedRequest(code: "missingField", method: "POST", path: "/login", body: "{}"),
        RejectedRequest(code: "wrongFieldType", method: "POST", path: "/login", body: #"{"username": 1}"#),
        RejectedRequest(code: "unknownField", method: "POST", path: "/login", body: #"{"x": 1}"#),
        RejectedRequest(
            code: "notAuthenticated",
            method: "GET",
            path: "/login",
            header: ("Authorization", "Bearer nobody")
        ),
        RejectedRequest(code: "crossSite", method: "POST", path: "/session", header: ("Sec-Fetch-Site", "same-site")),
        RejectedRequest(code: "notAuthenticated", method: "GET", path: "/session"),
        RejectedRequest(
            code: "crossSite",
            method: "DELETE",
            path: "/session",
            header: ("Sec-Fetch-Site", "cross-site")
        ),
        RejectedRequest(
            code: "notAuthenticated",
            method: "DELETE",
            path: "/session",
            header: ("Authorization", "Bearer nobody")
        ),
        RejectedRequest(code: "notAuthenticated", method: "GET", path: "/session/history"),
        RejectedRequest(
            code: "invalidParameter",
            method: "GET",
            path: "/session/history",
            target: "/session/history?since=x"
        ),
        RejectedRequest(code: "notAuthenticated", method: "GET", path: "/session/recording"),
        RejectedRequest(code: "unknownProblem", method: "GET", path: "/problems/{code}", target: "/problems/x"),
    ]

    @Test(arguments: rejected)
    func `An error is listed at its operation, with all its members and headers`(rejected: RejectedRequest) async throws
    {
        let document = try APIDocument(Page.demo())
        let request = Request(
            Method(rawValue: rejected.method),
            rejected.target ?? rejected.path,
            headers: Headers([rejected.header]),
            body: Array(rejected.body.utf8)
        )
        let response = await UnderstudyService(pages: Page.demo()).respond(to: request)
        let operation = document.operation(rejected.method.lowercased(), rejected.path)
        let problem = try JSONReader.read(response.body)
        #expect(problem["code"]?.string == rejected.code)
        #expect(document.codes(operation, response.status).contains(rejected.code))
        expectMembers(problem, document)
        let listed = document.resolve(operation?["responses"]?["\(response.status)"])?["headers"]
        for header in response.fields where header.name != .contentType {
            #expect(listed?[header.name.description] != nil, "\(header.name)")
        }
    }

    @Test(arguments: [
        RequestRejection.malformedRequest("x"), .unsupportedTransferCoding, .unsupportedHTTPVersion,
        .targetTooLong(limit: 1),
        .headersTooLarge(limit: 1), .bodyTooLarge(limit: 1),
        .responseTimeout, .stopping, .misdirectedRequest(host: "a"),
    ])
    func `The engine's rejections are listed at the operations that post events`(rejection: RequestRejection) throws {
        let document = try APIDocument(Page.demo())
        let response = UnderstudyService(pages: []).reject(rejection, of: Request(.get, "/"))
        let problem = try JSONReader.read(response.body)
        let code = try #require(problem["code"]?.string)
        #expect(document.codes(document.operation("post", "/login"), response.status).contains(code))
        expectMembers(problem, document)
    }

    @Test func `The problems for an unknown path and method have documented members`() async throws {
        let document = try APIDocument(Page.demo())
        let service = UnderstudyService(pages: Page.demo())
        for request in [Request(.get, "/x"), Request(.delete, "/login")] {
            expectMembers(try JSONReader.read(await service.respond(to: request).body), document)
        }
    }

    private func expectMembers(_ problem: Value, _ document: APIDocument) {
        let schema = document["#/components/schemas/Problem"]
        for name in names(problem) { #expect(schema?["properties"]?[name] != nil, "\(name)") }
        for name in strings(schema?["required"]) { #expect(problem[name] != nil, "\(name)") }
    }
}
