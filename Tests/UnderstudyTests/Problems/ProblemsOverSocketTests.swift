import HTTPTestClient
import BundledPages
import MicroHTTP
import TestSupport
import Testing

@testable import Understudy
@testable import UnderstudyPages

/// The table of problems, row by row, as a client receives it.
@Suite struct ProblemsOverSocketTests {
    /// What a client sends, and what is wrong with it.
    struct Row: Sendable, CustomTestStringConvertible {
        let code: Problem.Code
        let status: Int
        let request: String
        var headers: [String: String] = [:]
        var members: [String] = []

        init(
            _ status: Int,
            _ code: Problem.Code,
            _ request: String,
            headers: [String: String] = [:],
            members: [String] = []
        ) {
            self.code = code
            self.status = status
            self.request = request
            self.headers = headers
            self.members = members
        }

        var testDescription: String { "\(code.rawValue): \(request.prefix(60).debugDescription)" }
    }

    private static let limits = ServerConfiguration()
    private static let canary = "canary-7f3a"

    private struct Fault: Error {
        let text = canary
    }

    /// A request; `{token}` stands for the token of a session.
    private static func request(_ line: String, _ headers: String..., type: String? = nil, body: String = "") -> String
    {
        var lines = ["\(line) HTTP/1.1", "Host: localhost"] + headers
        if let type { lines += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] }
        return (lines + ["", body]).joined(separator: "\r\n")
    }

    private static func json(_ path: String, _ body: String, header: String = "X-Nothing: here") -> String {
        request("POST \(path)", header, type: "application/json", body: body)
    }

    private static let bearer = "Authorization: Bearer {token}"

    static let rows: [Row] = [
        Row(400, .malformedRequest, "GET /login HTTP/1.1\r\n\r\n"),
        Row(400, .malformedRequest, request("GET /login", "Host: elsewhere")),
        Row(400, .malformedRequest, request("POST /login", "Content-Length: 1", "Content-Length: 1")),
        Row(400, .malformedRequest, request("POST /login", "Content-Length: 1", "Transfer-Encoding: chunked")),
        Row(400, .malformedRequest, request("POST /login", "Transfer-Encoding: gzip")),
        Row(400, .malformedJSON, json("/login", #"{"username":"#), members: ["offset"]),
        Row(400, .malformedJSON, json("/login", #"{"a":1,"a":1}"#), members: ["offset"]),
        Row(400, .malformedJSON, json("/login", "\u{FEFF}{}"), members: ["offset"]),
        Row(400, .malformedJSON, json("/login", String(repeating: "[", count: 33)), members: ["offset"]),
        Row(400, .malformedBody, json("/login", "[]"), members: ["pointer"]),
        Row(400, .malformedBody, json("/login", #"{"event":"a","b":1}"#), members: ["pointer"]),
        Row(
            400,
            .malformedBody,
            request("POST /login", type: "application/x-www-form-urlencoded", body: #"{"username":"batman"}"#),
            members: ["pointer"]
        ),
        Row(400, .invalidParameter, request("GET /session/history?since=x")),
        Row(400, .invalidParameter, json("/login", "{}", header: "Idempotency-Key:")),
        Row(
            400,
            .invalidParameter,
            json("/login", "{}", header: "Idempotency-Key: \(String(repeating: "a", count: 256))")
        ),
        Row(401, .notAuthenticated, request("GET /session"), headers: ["WWW-Authenticate": "Bearer"]),
        Row(401, .notAuthenticated, request("GET /session/history"), headers: ["WWW-Authenticate": "Bearer"]),
        Row(
            401,
            .notAuthenticated,
            request("POST /login", "Authorization: Bearer nonsense"),
            headers: ["WWW-Authenticate": "Bearer"]
        ),
        Row(401, .notAuthenticated, request("GET /login", "Authorization: Bearer nonsense")),
        Row(401, .notAuthenticated, request("DELETE /session", "Authorization: Bearer nonsense")),
        Row(401, .notAuthenticated, request("GET /session/recording")),
        Row(403, .crossSite, json("/login", "{}", header: "Sec-Fetch-Site: cross-site")),
        Row(403, .crossSite, request("POST /session", "Sec-Fetch-Site: same-site")),
        Row(403, .crossSite, request("DELETE /session", "Sec-Fetch-Site: cross-site")),
        Row(403, .crossSite, json("/login", "{}", header: "Origin: https://elsewhere.example")),
        Row(404, .unknownPage, request("GET /nowhere"), members: ["pages"]),
        Row(404, .unknownPage, request("POST /nowhere"), members: ["pages"]),
        Row(404, .unknownProblem, request("GET /problems/nonsense"), members: ["codes"]),
        Row(404, .notRecorded, request("GET /session/recording", bearer)),
        Row(
            422,
            .unknownRule,
            json("/validate", #"{"checks":[{"rule":"phone","value":"1"}]}"#),
            members: ["pointer", "rules"]
        ),
        Row(405, .methodNotAllowed, request("DELETE /login"), headers: ["Allow": "GET, POST, HEAD, OPTIONS"]),
        Row(405, .methodNotAllowed, request("PUT /session"), headers: ["Allow": "POST, GET, DELETE, HEAD, OPTIONS"]),
        Row(410, .historyGone, request("GET /session/history?since=0", bearer), members: ["sequence"]),
        Row(
            413,
            .bodyTooLarge,
            request("POST /login", "Content-Length: \(limits.maximumBodySize + 1)"),
            members: ["limit"]
        ),
        Row(
            414,
            .targetTooLong,
            request("GET /" + String(repeating: "a", count: limits.maximumTargetSize)),
            members: ["limit"]
        ),
        Row(415, .unsupportedMediaType, request("POST /login", type: "text/plain", body: "{}")),
        Row(415, .unsupportedMediaType, request("POST /login", "Content-Length: 2") + "{}"),
        Row(
            421,
            .misdirectedRequest,
            "GET /login HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            members: ["host"]
        ),
        Row(422, .unknownEvent, json("/login", #"{"event":"nothing"}"#), members: ["event", "events"]),
        Row(422, .missingField, json("/login", "{}"), members: ["field", "fields"]),
        Row(422, .wrongFieldType, json("/login", #"{"username":1}"#), members: ["field", "expected", "fields"]),
        Row(422, .unknownField, json("/login", #"{"usrname":"a"}"#), members: ["field", "fields"]),
        Row(
            422,
            .valueTooLong,
            json("/email", #"{"email":"\#(String(repeating: "a", count: 255))"}"#),
            members: ["field", "maximum"]
        ),
        Row(
            422,
            .valueTooLong,
            json(
                "/validate",
                #"{"checks":[{"rule":"email","value":"\#(String(repeating: "a", count: 255))"}]}"#
            ),
            members: ["pointer", "maximum"]
        ),
        Row(422, .valueTooShort, json("/order", #"{"note":"ab"}"#), members: ["field", "minimum", "errors"]),
        Row(422, .valueOutOfRange, json("/order", #"{"day":"2028-01-01"}"#), members: ["field", "errors"]),
        Row(
            422,
            .unknownChoice,
            json("/order", #"{"lines":[{"product":"tea","size":"huge","count":1}]}"#),
            members: ["field", "choices", "errors"]
        ),
        Row(422, .wrongCount, json("/order", #"{"lines":[]}"#), members: ["field", "minimum", "maximum", "errors"]),
        Row(422, .sessionFull, json("/wordy", "{}"), members: ["limit"]),
        Row(422, .idempotencyKeyReused, json("/counter", "{ }", header: bearer + "\r\nIdempotency-Key: used")),
        Row(429, .tooManyRequests, request("POST /busy-429"), headers: ["Retry-After": "7"]),
        Row(
            431,
            .headersTooLarge,
            request("GET /login", "X-Long: " + String(repeating: "a", count: limits.maximumHeaderSize)),
            members: ["limit"]
        ),
        Row(500, .internal, request("POST /failing")),
        Row(501, .unsupportedTransferCoding, request("POST /login", "Transfer-Encoding: gzip, chunked")),
        Row(503, .overloaded, request("POST /busy-503"), headers: ["Retry-After": "8"]),
        Row(503, .unavailable, request("POST /unavailable"), headers: ["Retry-After": "9"]),
        Row(504, .answerTimeout, request("POST /silent")),
        Row(505, .unsupportedHTTPVersion, "GET /login HTTP/1.2\r\nHost: localhost\r\n\r\n"),
    ]

    private static func pages() -> [Page] {
        func page(_ name: String, _ error: any Error) -> Page {
            Page(name) { _ in FailingController(error) }
        }
        return Page.demo() + [
            Page("order") { _ in OrderController() }, CountingController.page, SilentController.page,
            WordyController.page, page("failing", Fault()),
            page("busy-429", CollaboratorError.tooManyRequests(retryAfter: .seconds(7))),
            page("busy-503", CollaboratorError.overloaded(retryAfter: .milliseconds(7001))),
            page("unavailable", CollaboratorError.unavailable(retryAfter: .seconds(9))),
        ]
    }

    @Test func `the table has a row for every problem`() {
        #expect(Set(Self.rows.map(\.code)) == Set(Problem.Code.allCases))
    }

    @Test(arguments: rows)
    func `an error response has the status, headers and members of its problem, as in the document`(row: Row)
        async throws
    {
        let log = LogCapture()
        let service = UnderstudyService(pages: Self.pages(), logger: log.logger)
        let patience: Duration = row.code == .answerTimeout ? .milliseconds(50) : .seconds(30)
        try await withServer(service, configure: { $0.responseTimeout = patience }) { port in
            let token = row.request.contains("{token}") ? try await sessionWithHistory(port) : ""
            let connection = try await HTTPTestClient.patient(port: port)
            try await connection.send(row.request.replacing("{token}", with: token))
            let answer = Answer(try await connection.receive())

            #expect(answer.status == row.status)
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Set-Cookie") == nil)
            for (name, value) in row.headers { #expect(answer.header(name) == value) }
            let id = try #require(answer.header("X-Request-ID"))
            #expect(try answer["requestID"] == .string(id))
            #expect(try answer["type"] == .string("/problems/\(row.code.rawValue)"))
            #expect(try answer["title"] == .string(row.code.title))
            #expect(try answer["status"] == Value(row.status))
            #expect(try answer["code"] == .string(row.code.rawValue))
            for member in row.members { #expect(try answer[member] != nil, "\(member)") }
            try expectDocumented(answer, row)
            if [.malformedRequest, .unsupportedTransferCoding, .unsupportedHTTPVersion, .misdirectedRequest].contains(
                row.code
            ) {
                #expect(answer.header("Connection") == "close")
                #expect(try await connection.receiveToEnd().isEmpty)
            }

            // Only an error of the server is logged, with its cause.
            #expect(!answer.text.contains(Self.canary))
            #expect(!answer.headers.contains { $0.value.contains(Self.canary) })
            #expect(log.lines.map { $0.metadata["request"] } == (row.status == 500 ? [id] : []))
            #expect(log.lines.allSatisfy { $0.metadata["error"]?.contains(Self.canary) == true })

            let explanation = try await SocketSender(port: port).send(Request(.get, "/problems/\(row.code.rawValue)"))
            #expect(explanation.status == 200)
            #expect(explanation.header("Content-Type") == "text/plain; charset=utf-8")
            #expect(explanation.text.hasPrefix("\(row.code.rawValue) (HTTP status \(row.status)): "))
        }
    }

    private static let document = Result { try APIDocument(pages()) }
    /// Problems of the engine are listed at the operations that post events.
    private static let ofEngine: Set<Problem.Code> = [
        .malformedRequest, .unsupportedTransferCoding, .unsupportedHTTPVersion, .targetTooLong, .headersTooLarge,
        .bodyTooLarge, .answerTimeout, .misdirectedRequest,
    ]

    /// Expects that the OpenAPI document has the members of the problem, and lists it with its headers at its operation, unless there is
    /// none for the path or the method.
    private func expectDocumented(_ answer: Answer, _ row: Row) throws {
        let document = try Self.document.get()
        let schema = document.schema("Problem")
        let problem = try answer.json
        for name in names(problem) { #expect(schema?["properties"]?[name] != nil, "\(name)") }
        for name in strings(schema?["required"]) { #expect(problem[name] != nil, "\(name)") }
        guard ![.unknownPage, .methodNotAllowed].contains(row.code) else { return }
        let words = row.request.split(separator: " ").prefix(2).map(String.init)
        let path = String(words[1].prefix { $0 != "?" }).replacing(/problems\/.*/, with: "problems/{code}")
        let operation =
            Self.ofEngine.contains(row.code)
            ? document.operation("post", "/login") : document.operation(words[0].lowercased(), path)
        #expect(document.codes(operation, row.status).contains(row.code.rawValue))
        let listed = document.resolve(operation?["responses"]?["\(row.status)"])?["headers"]
        // The document lists no headers of the connection.
        for (name, _) in answer.headers where !["Content-Type", "Content-Length", "Date", "Connection"].contains(name) {
            #expect(listed?[name] != nil, "\(name)")
        }
    }

    /// The token of a session whose first commands are discarded, and which used the key `used`.
    private func sessionWithHistory(_ port: UInt16) async throws -> String {
        let client = TestClient(SocketSender(port: port))
        let token = try #require(try await client.post("/session")["token"]?.string)
        client.token = token
        for _ in 1...3 { try await client.post("/counter", #"{"event":"chatter"}"#) }
        try await client.post("/counter", "{}", key: "used")
        return token
    }
}
