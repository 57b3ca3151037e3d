@testable import Understudy
@testable import UnderstudyPages

struct TranslatedResponseTests {
    struct LetterController: Script {
        static let count = Field<Int>("count")
        static let sender = Field<String>("sender").whenAbsent("Lisa")
        static let total = Output<Int>("total")
        static let summary = Output<Message?>("summary")

        static let events: Events = [
            .default("arrived", reads: count, sender, gives: [.renders(summary, unread(0, "")), .renders(total)]) {
                $0.render(total, $1)
                $0.render(summary, $1 == 0 ? nil : unread($1, $2))
            },
            .event("shredded", gives: [.alerts(.shredded)]) { $0.showAlert(.shredded) },
        ]

        static func unread(_ count: Int, _ sender: String) -> Message {
            .notice(
                code: "letters.unread",
                text: "\(count) from \(sender)",
                parameters: ["count": Value(count), "sender": .string(sender)]
            )
        }
    }

    /// Shows the language of the client.
    static let language = Page("language") { context in
        ActingController { $0.render(Output<String?>("language"), context.identity.client.language) }
    }

    static let shred = "event=shredded"

    let client: TestClient

    init() async throws { client = try await TestClient.withToken(Self.service()) }

    static func service(_ configure: (inout ServiceConfiguration) throws -> Void = { _ in }) throws
        -> UnderstudyService
    {
        return try UnderstudyService(pages: [Page("letters", LetterController()), OrderController.page, language]) {
            $0.translations = try Translations(
                catalog: catalog([
                    "letters.unread": ["de": unit("%2$@ hat %1$lld geschrieben")],
                    "letters.shredded": ["de": unit("Zerstört")],
                    "problem.unknownField": ["de": unit("Dieses Feld gibt es nicht")],
                ])
            )
            $0.rules = [ValidationRule("paper") { _ in .invalid(.shredded) }]
            try configure(&$0)
        }
    }

    @Test func `a rendered message is in the requested language, and its parameters stay`() async throws {
        let answer = try await client.post("/letters", "count=2", language: "de-AT, en;q=0.5")
        try expect(
            answer,
            is: #"""
                {"sequence":2,"ok":true,"commands":[
                 {"sequence":1,"page":"letters","command":"render","key":"total","value":2},
                 {"sequence":2,"page":"letters","command":"render","key":"summary","value":"Lisa hat 2 geschrieben",
                  "code":"letters.unread","parameters":{"count":2,"sender":"Lisa"}}]}
                """#
        )
        expect(answer, has: ["Content-Language": "de", "Vary": "Accept-Language"])
    }

    @Test(
        arguments: [
            (shred, "de", "Zerstört"), (shred, "en", "Shredded"), (shred, "es", "Shredded"), (shred, nil, "Shredded"),
            ("nope=1", "de", "Dieses Feld gibt es nicht"), ("count=0", "de", nil),
        ] as [(String, String?, String?)]
    )
    func `an alert, its error and a problem are in the language of the response`(
        body: String,
        asked: String?,
        text: String?
    ) async throws {
        let answer = try await client.post("/letters", body, language: asked)
        let command = try answer.commands.first
        let shown = try command == nil ? answer["title"] : command?["message"]
        #expect(shown == text.map { .string($0) })
        if command?["message"] != nil { #expect(try answer["errors"]?.array?.first?["message"] == shown) }
        #expect(answer.header("Content-Language") == text.map { _ in asked == "de" ? "de" : "en" })
        #expect(answer.header("Vary") == text.map { _ in "Accept-Language" })
    }

    @Test func `a controller can ask for the language of the response`() async throws {
        func language(_ accept: String?) async throws -> Value? {
            try await client.post("/language", language: accept).shown.first
        }
        #expect(try await language("de-AT") == "de")
        #expect(try await language("es") == "en")
        #expect(try await language(nil) == "en")
        #expect(try await TestClient(pages: [Self.language]).post("/language").shown.first == .null)
    }

    @Test func `faults of values are in the requested language, with its numbers and dates`() async throws {
        let client = try await TestClient.withToken(
            Self.service { $0.translations = Translations.bundled.merging($0.translations) }
        )
        let answer = try await client.post("/order", #"{"lines":[],"day":"2028-01-01"}"#, language: "de")
        #expect(
            try answer["errors"]?.array?.compactMap { $0["message"] } == [
                "Geben Sie 1 bis 20 Einträge ein.", "Geben Sie einen Wert von 01.01.2027 bis 31.12.2027 ein.",
            ]
        )
        #expect(answer.header("Content-Language") == "de")
    }

    @Test func `a service without translations names no language`() async throws {
        let client = try await TestClient.withToken(Self.service { $0.translations = Translations() })
        for path in ["/letters", "/nowhere"] {
            let answer = try await client.post(path, Self.shred, language: "de")
            expect(answer, has: ["Content-Language": nil, "Vary": nil])
        }
    }

    @Test func `the page and the history store English, and translate for each request`() async throws {
        try await client.post("/letters", "count=2", language: "de")
        for (language, text) in [("de", "Lisa hat 2 geschrieben"), ("en", "2 from Lisa")] {
            let page = try await client.get("/letters", language: language)
            #expect(try page["rendered"] == ["total": 2, "summary": .string(text)])
            #expect(page.header("Content-Language") == language)
            let history = try await client.get("/session/history", language: language)
            #expect(try history.shown.last == .string(text))
            #expect(history.header("Content-Language") == language)
        }
        try await client.post("/letters", Self.shred)
        let page = try await client.get("/letters", language: "de")
        #expect(try page["alert"] == ["message": "Zerstört", "code": "letters.shredded"])
    }

    @Test func `a repeated request gets the first response, in its language`() async throws {
        let first = try await client.post("/letters", Self.shred, key: "1", language: "de")
        let second = try await client.post("/letters", Self.shred, key: "1", language: "en")
        #expect(second.isReplayed)
        #expect(second.body == first.body)
        expect(second, has: ["Content-Language": "de", "Vary": "Accept-Language"])
    }

    @Test func `the results of validation are in the requested language`() async throws {
        let one = try await client.post("/validate/paper", "value=", language: "de")
        try expect(one, is: #"{"valid":false,"code":"letters.shredded","message":"Zerstört"}"#)
        #expect(one.header("Content-Language") == "de")
        let all = try await client.post("/validate", #"{"checks":[{"rule":"paper","value":""}]}"#, language: "de")
        try expect(all, is: #"{"results":[{"valid":false,"code":"letters.shredded","message":"Zerstört"}]}"#)
        #expect(all.header("Content-Language") == "de")
    }

    @Test func `a translated response over TLS has Strict-Transport-Security`() async throws {
        let request = Request.json("/letters", #"{"event":"shredded"}"#, ["Host": "a", "Accept-Language": "de"])
        let answer = Answer(await ServedService(try Self.service(), isSecure: true).respond(to: request))
        #expect(answer.header("Strict-Transport-Security") != nil)
        #expect(answer.header("Content-Language") == "de")
        #expect(answer.values("Cache-Control").count == 1)
    }

    @Test func `the engine's rejections are in the requested language`() async throws {
        let service = try Self.service {
            $0.translations = try Translations(catalog: catalog(["problem.bodyTooLarge": ["de": unit("Zu groß")]]))
        }
        let request = Request(.post, "/letters", headers: ["Host": "a", "Accept-Language": "de"])
        #expect(try Answer(service.reject(.bodyTooLarge(limit: 1), of: request))["title"] == "Zu groß")
    }
}

extension Message {
    fileprivate static let shredded = Message(code: "letters.shredded", text: "Shredded")
}
