/// The table of problems, row by row, as a client receives it.
struct ProblemsOverSocketTests {
    /// What a client sends, and what is wrong with it.
    struct Row: Sendable, CustomTestStringConvertible {
        let code: Problem.Code
        let status: Int
        let request: String
        /// Header fields and members that not every problem of this code has.
        let headers: [String: String]
        let members: [String]

        init(_ status: Int, _ code: Problem.Code, _ request: String, _ headers: [String: String] = [:], has: String...)
        {
            (self.code, self.status, self.request, self.headers, members) = (code, status, request, headers, has)
        }

        var testDescription: String { "\(code.rawValue): \(request.prefix(60).debugDescription)" }
    }

    static let limits = ServerConfiguration()
    static let canary = "canary-7f3a"

    struct Fault: Error {
        let text = canary
    }

    /// A request; `{token}` stands for the token of a session.
    static func request(_ line: String, _ headers: String..., type: String? = nil, body: String = "") -> String {
        var lines = ["\(line) HTTP/1.1", "Host: localhost"] + headers
        if let type { lines += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] }
        return (lines + ["", body]).joined(separator: "\r\n")
    }

    static func json(_ path: String, _ body: String, header: String = "X-Nothing: here") -> String {
        request("POST \(path)", header, type: "application/json", body: body)
    }

    static let bearer = "Authorization: Bearer {token}"
    static let nonsense = "Authorization: Bearer nonsense"

    static let long = "a".repeated(255)

    static let rows: [Row] = [
        Row(400, .malformedRequest, "GET /login HTTP/1.1\r\n\r\n"),
        Row(400, .malformedJSON, json("/login", #"{"username":"#)),
        Row(400, .malformedBody, json("/login", "[]")),
        Row(400, .invalidParameter, request("GET /session/history?since=x")),
        Row(400, .invalidParameter, json("/login", "{}", header: "Idempotency-Key:")),
        Row(401, .notAuthenticated, request("GET /session")),
        Row(401, .notAuthenticated, request("GET /session/history")),
        Row(401, .notAuthenticated, request("POST /login", nonsense)),
        Row(401, .notAuthenticated, request("GET /login", nonsense)),
        Row(401, .notAuthenticated, request("DELETE /session", nonsense)),
        Row(401, .notAuthenticated, request("GET /session/recording")),
        Row(403, .crossSite, json("/login", "{}", header: "Sec-Fetch-Site: cross-site")),
        Row(403, .crossSite, request("POST /session", "Sec-Fetch-Site: same-site")),
        Row(403, .crossSite, request("DELETE /session", "Sec-Fetch-Site: cross-site")),
        Row(404, .unknownPage, request("GET /nowhere")),
        Row(404, .unknownProblem, request("GET /problems/nonsense")),
        Row(404, .notRecorded, request("GET /session/recording", bearer)),
        Row(422, .unknownRule, json("/validate", #"{"checks":[{"rule":"phone","value":"1"}]}"#)),
        Row(405, .methodNotAllowed, request("DELETE /login"), ["Allow": "GET, POST, HEAD, OPTIONS"]),
        Row(410, .historyGone, request("GET /session/history?since=0", bearer)),
        Row(413, .bodyTooLarge, request("POST /login", "Content-Length: \(limits.maximumBodySize + 1)")),
        Row(414, .targetTooLong, request("GET /\("a".repeated(limits.maximumTargetSize))")),
        Row(415, .unsupportedMediaType, request("POST /login", type: "text/plain", body: "{}")),
        Row(421, .misdirectedRequest, "GET /login HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
        Row(422, .unknownEvent, json("/login", #"{"event":"nothing"}"#)),
        Row(422, .missingField, json("/login", "{}")),
        Row(422, .wrongFieldType, json("/login", #"{"username":1}"#)),
        Row(422, .unknownField, json("/login", #"{"usrname":"a"}"#)),
        Row(422, .valueTooLong, json("/email", #"{"email":"\#(long)"}"#), has: "field"),
        Row(
            422,
            .valueTooLong,
            json("/validate", #"{"checks":[{"rule":"email","value":"\#(long)"}]}"#),
            has: "pointer"
        ),
        Row(422, .valueTooShort, json("/order", #"{"note":"ab"}"#)),
        Row(422, .valueOutOfRange, json("/order", #"{"day":"2028-01-01"}"#)),
        Row(422, .unknownChoice, json("/order", #"{"lines":[{"product":"tea","size":"huge","count":1}]}"#)),
        Row(422, .wrongCount, json("/order", #"{"lines":[]}"#)),
        Row(422, .sessionFull, json("/wordy", "{}")),
        Row(422, .idempotencyKeyReused, json("/counter", "{ }", header: bearer + "\r\nIdempotency-Key: used")),
        Row(429, .tooManyRequests, request("POST /busy-429"), ["Retry-After": "7"]),
        Row(431, .headersTooLarge, request("GET /login", "X-Long: \("a".repeated(limits.maximumHeaderSize))")),
        Row(500, .internal, request("POST /failing")),
        Row(501, .unsupportedTransferCoding, request("POST /login", "Transfer-Encoding: gzip, chunked")),
        Row(503, .overloaded, request("POST /busy-503"), ["Retry-After": "8"]),
        Row(503, .unavailable, request("POST /unavailable"), ["Retry-After": "9"]),
        Row(504, .answerTimeout, request("POST /silent")),
        Row(505, .unsupportedHTTPVersion, "GET /login HTTP/1.2\r\nHost: localhost\r\n\r\n"),
    ]

    /// The members that each problem of a code has, in addition to those of all problems.
    static let members: [Problem.Code: [String]] = [
        .malformedJSON: ["offset"], .malformedBody: ["pointer"], .unknownPage: ["pages"], .unknownProblem: ["codes"],
        .unknownRule: ["pointer", "rules"], .historyGone: ["sequence"], .bodyTooLarge: ["limit"],
        .targetTooLong: ["limit"], .headersTooLarge: ["limit"], .sessionFull: ["limit"], .misdirectedRequest: ["host"],
        .unknownEvent: ["event", "events"], .missingField: ["field", "fields"], .unknownField: ["field", "fields"],
        .wrongFieldType: ["field", "expected", "fields"], .valueTooLong: ["maximum"],
        .valueTooShort: ["field", "minimum", "errors"], .valueOutOfRange: ["field", "errors"],
        .unknownChoice: ["field", "choices", "errors"], .wrongCount: ["field", "minimum", "maximum", "errors"],
    ]

    static func pages() -> [Page] {
        func page(_ name: String, _ error: any Error) -> Page { Page(name) { _ in FailingController(error) } }
        return Page.demo() + [
            OrderController.page, CountingController.page, WordyController.page,
            Page("silent") { _ in ActingController { _ in for await _ in AsyncStream<Never>.makeStream().stream {} } },
            page("failing", Fault()),
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
            let token = row.request.contains("{token}") ? try await sessionWithHistory(service) : ""
            let connection = try await HTTPTestClient(port: port)
            try await connection.send(row.request.replacing("{token}", with: token))
            let answer = try await connection.receive()

            let id = try #require(answer.header("X-Request-ID"))
            let members: Value.Object = [
                "requestID": .string(id), "type": .string("/problems/\(row.code.rawValue)"),
                "title": .string(row.code.title), "status": Value(row.status),
            ]
            try expect(answer, row.status, row.code.rawValue, members)
            let headers = [
                "Content-Type": "application/problem+json", "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            ].merging(row.headers) { $1 }
            for (name, value) in headers { #expect(answer.header(name) == value) }
            #expect(answer.cookie == nil)
            #expect(answer.header("WWW-Authenticate") == (row.status == 401 ? "Bearer" : nil))
            for member in row.members + (Self.members[row.code] ?? []) {
                #expect(try answer[member] != nil, "\(member)")
            }
            try expectDocumented(answer, row)
            if Self.closing.contains(row.code) {
                #expect(answer.header("Connection") == "close")
                #expect(try await connection.receiveToEnd().isEmpty)
            }

            // Only an error of the server is logged, with its cause.
            #expect(!answer.text.contains(Self.canary))
            #expect(!answer.headers.contains { $0.value.contains(Self.canary) })
            #expect(log.lines.map { $0["request"] } == (row.status == 500 ? [id] : []))
            for line in log.lines {
                #expect(line.level == .error)
                #expect(line["error"]?.contains(Self.canary) == true)
                #expect(line["method"] == "POST" && line["path"] == "/failing")
            }

            // In process, where the deadline of one row does not apply.
            let explanation = try await service.get("/problems/\(row.code.rawValue)")
            expect(explanation, 200, has: ["Content-Type": "text/plain; charset=utf-8"])
            #expect(explanation.text.hasPrefix("\(row.code.rawValue) (HTTP status \(row.status)): "))
        }
    }

    static let document = Result { try APIDocument(pages()) }
    /// Problems after which the connection is closed.
    static let closing: Set<Problem.Code> = [
        .malformedRequest, .unsupportedTransferCoding, .unsupportedHTTPVersion, .misdirectedRequest,
    ]
    /// Problems of the engine are listed at the operations that post events.
    static let ofEngine = closing.union([.targetTooLong, .headersTooLarge, .bodyTooLarge, .answerTimeout])

    /// Expects that the OpenAPI document has the members of the problem, and lists it with its headers at its operation, unless there is
    /// none for the path or the method.
    func expectDocumented(_ answer: Answer, _ row: Row) throws {
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
        // The document lists no headers of the connection, and none that all responses have.
        let unlisted =
            ["Content-Type", "Content-Length", "Date", "Connection", "X-Request-ID"]
            + CommonHeaders.service.fields.map(\.name.description)
        for name in Set(answer.headers.map(\.name)).subtracting(unlisted) { #expect(listed?[name] != nil, "\(name)") }
    }

    /// The token of a session whose first commands are discarded, and which used the key `used`.
    func sessionWithHistory(_ service: UnderstudyService) async throws -> String {
        let client = try await TestClient.withToken(service)
        for _ in 1...3 { try await client.post("/counter", "event=chatter") }
        try await client.post("/counter", "{}", key: "used")
        return try #require(client.token)
    }
}
