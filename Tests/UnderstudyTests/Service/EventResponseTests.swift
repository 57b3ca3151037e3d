import TestSupport

@testable import Understudy

/// The members `ok`, `errors` and `href` of the response to an event, and `Prefer: return=minimal`.
@Suite struct EventResponseTests {
    private static let wrong = #"{"username":"batman","password":"joker"}"#
    private static let right = #"{"username":"batman","password":"bruce"}"#

    @Test func `a link contains the path prefix`() async throws {
        let service = UnderstudyService(pages: Page.demo()) { $0.pathPrefix = "/shop" }
        let answer = try await TestClient(service).post("/shop/login", Self.right)
        #expect(try answer["commands"]?.array?.first?.object?["href"] == "/shop/home")
        #expect(try answer["ok"] == true)
        #expect(try answer["errors"] == nil)
    }

    @Test(
        arguments: [
            ["return=minimal"], ["RETURN=Minimal"], ["return=\"minimal\""], ["return=minimal; a=b"],
            ["respond-async, return=minimal"], ["wait=10,return = minimal ; x"], ["respond-async", "return=minimal"],
        ].map { ($0, true) }
            + [[], ["representation"], ["minimal"], ["return"], ["return=minimally"], [""]].map { ($0, false) }
    )
    func `only a client that prefers a minimal response gets no commands`(prefer: [String], isMinimal: Bool)
        async throws
    {
        let service = UnderstudyService(pages: Page.demo())
        let answer = try await TestClient(service).post("/login", Self.wrong, prefer: prefer)
        #expect(answer.header("Preference-Applied") == (isMinimal ? "return=minimal" : nil))
        #expect(try answer["commands"]?.array?.count == (isMinimal ? 0 : 1))
        #expect(try answer["sequence"] == 1)
        #expect(try answer["ok"] == false)
        #expect(try answer["errors"]?.array?.first?.object?["code"] == "login.wrongCredentials")
    }

    @Test func `a minimal response is repeated with its confirmation`() async throws {
        let client = try await TestClient.withToken(UnderstudyService(pages: Page.demo()))
        let first = try await client.post("/email", #"{"email":"a"}"#, key: "a", prefer: ["return=minimal"])
        let again = try await client.post("/email", #"{"email":"a"}"#, key: "a", prefer: ["return=minimal"])
        #expect(try first["commands"] == [])
        #expect(again.body == first.body)
        #expect(again.header("Idempotency-Replayed") == "true")
        #expect(again.header("Preference-Applied") == "return=minimal")
    }

    // MARK: Fields

    private let client = TestClient(UnderstudyService(pages: [PhoneController.page, ProfileController.page]))

    @Test func `an empty input of a form for a number is absent`() async throws {
        let form = try await client.post("/phone", form: "phone=%2B49&attempts=")
        #expect(try form.shown.first == "+49, 1, false")
    }

    @Test func `a form's box that is not ticked is off, even if an earlier form ticked it`() async throws {
        try await client.post("/phone", form: "phone=%2B1&newsletter=on")
        let form = try await client.post("/phone", form: "phone=%2B1")
        #expect(try form.shown.first == "+1, 1, false")
        #expect(try await client.get("/phone")["values"]?.object?["newsletter"] == false)
    }

    @Test func `a form whose plus sign became a space gets a hint`() async throws {
        let answer = try await client.post("/phone", form: "phone=+49 30")
        try expect(answer, 422, "wrongFieldType")
        #expect(try answer["field"] == "phone")
        #expect(try answer["detail"]?.string?.contains("Send + as %2B.") == true)
        let json = try await client.post("/phone", #"{"phone":" 49"}"#)
        #expect(try json["detail"]?.string?.contains("%2B") == false)
        let other = try await client.post("/phone", form: "phone=49")
        #expect(try other["detail"]?.string?.contains("%2B") == false)
    }

    // MARK: Undeclared commands

    @Test func `a command that the event does not declare is sent, and logged once`() async throws {
        let log = LogCapture()
        let client = TestClient(UnderstudyService(pages: [WordyController.page], logger: log.logger))
        for _ in 1...3 {
            let answer = try await client.post("/wordy", #"{"event":"say","values":{"key":"a","count":1}}"#)
            #expect(try answer["commands"]?.array?.count == 1)
        }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.level == .warning)
        #expect(log.lines.first?.metadata == ["page": "wordy", "event": "say", "use": "render a"])
    }

    @Test func `the warnings about undeclared commands are limited`() async throws {
        let log = LogCapture()
        let client = TestClient(UnderstudyService(pages: [WordyController.page], logger: log.logger))
        for index in 1...300 {
            try await client.post("/wordy", #"{"event":"say","values":{"key":"\#(index)","count":1}}"#)
        }
        #expect(log.lines.count == 256)
    }
}
