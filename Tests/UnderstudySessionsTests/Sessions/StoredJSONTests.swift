import Foundation

@testable import UnderstudySessions

/// The JSON of stored sessions, which is written without `JSONEncoder`.
struct StoredJSONTests {
    typealias Plain = IdempotencyCache.PlainResponse

    static let message = Message(code: "a.b", text: "é\"\0", parameters: ["b": 1, "a": [1.5, nil]], field: "f")

    static let commands: [Command] = [
        .render("key", ["a": [1, -2.5, true, nil, "\u{1F600}"]]), .render("key", message), .showAlert(message),
        .showAlert(.notice(code: "a.c", text: "done")), .goToPage("x"), .goToPage("x", ["b": 1, "a": "2"]),
    ]

    func sealed() throws -> SealedResponse {
        let content = SealedResponse.Content(status: 200, headers: [["a", "b"]], body: [1, 2])
        return try #require(SealedResponse(content, token: .random(), key: "k", request: [3]))
    }

    func responses() throws -> IdempotencyCache {
        var cache = IdempotencyCache()
        let plain = Plain(status: 500, language: "de", body: "{\"a\":\"é\"}".bytes, preference: .minimal)
        let short = Plain(status: 200, language: nil, body: [], preference: .representation)
        for (key, content) in [("a", .plain(plain)), ("b", .plain(short)), ("c", .sealed(try sealed()))]
            as [(String, IdempotencyCache.Content)]
        {
            cache.append(IdempotencyCache.Entry(key: key, fingerprint: .max, content: content))
        }
        return cache
    }

    func entries() -> [CommandHistory.Entry] {
        Self.commands.enumerated().map { CommandHistory.Entry(sequence: $0 + 1, page: "page", command: $1) }
    }

    @Test(arguments: [nil, User(username: "ada"), User(username: "ada", id: "1", roles: ["a", "b"])])
    func `a stored session is read again`(_ user: User?) throws {
        let page = StagedController.page([])
        let session = Session(id: SessionToken.random().id, now: .ms(-5))
        session.identity.restore(user)
        let recorder = session.add(page).recorder
        for command in Self.commands {
            switch command {
            case .render(let key, let value, nil): recorder.render(key, value)
            case .render(let key, _, let message?): recorder.render(key, message)
            case .showAlert(let message): recorder.showAlert(message)
            case .goToPage(let name, let values): recorder.goToPage(name, values)
            }
        }
        recorder.setValue("é", for: "field")
        session.idempotencyCache = try responses()
        let snapshot = try session.snapshot
        #expect(try SessionSnapshot(json: snapshot.json) == snapshot)
    }

    @Test func `a stored event is read again`() throws {
        for responses in [[], try responses().entries] {
            let event = EventContent(commands: entries(), responses: responses)
            #expect(try JSONDecoder().decode(EventContent.self, from: Data(event.json)) == event)
        }
    }
}
