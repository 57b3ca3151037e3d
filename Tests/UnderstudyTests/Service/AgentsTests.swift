import Synchronization

@testable import Understudy

/// Agents, which use pages by the Model Context Protocol.
struct AgentsTests {
    var service = UnderstudyService(pages: Page.demo() + [Page("vault", Vault())], configure: Self.configure)

    static func configure(_ configuration: inout ServiceConfiguration) {
        configuration.servesAgents = true
        configuration.findAgent = { token in
            switch token {
            case "looks": Agent(id: "a", user: User(username: "lisa", id: "1"), mayChange: false)
            case "changes", "changes, too": Agent(id: "b", user: User(username: "lisa", id: "1"), mayChange: true)
            default: nil
            }
        }
    }

    /// A message of the revision without a handshake.
    func send(
        _ method: String,
        _ params: Value.Object = [:],
        token: String? = nil,
        meta: Value.Object = [:]
    ) async throws -> Answer {
        let (message, headers) = message(method, params, token: token, meta: meta)
        return try await post(message, headers)
    }

    func message(
        _ method: String,
        _ params: Value.Object,
        token: String? = nil,
        meta: Value.Object = [:]
    ) -> (Value, OptionalFields) {
        var meta = meta
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28"
        meta["io.modelcontextprotocol/clientCapabilities"] = [:]
        var params = params
        params["_meta"] = .object(meta)
        let name = params["name"]?.string ?? params["uri"]?.string
        return (
            ["jsonrpc": "2.0", "id": 7, "method": .string(method), "params": .object(params)],
            [
                ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), ("Mcp-Name", name),
                ("Authorization", token.map { "Bearer " + $0 }),
            ]
        )
    }

    func post(_ message: Value, _ headers: OptionalFields = []) async throws -> Answer {
        await service.send(.json("/mcp", "\(message)", Headers(optional: headers)))
    }

    func call(_ tool: String, _ arguments: Value.Object = [:], token: String?) async throws -> Value {
        let params: Value.Object = ["name": .string(tool), "arguments": .object(arguments)]
        return try await send("tools/call", params, token: token)["result"] ?? .null
    }

    /// How often the vault has been peeked into in the session, with this time.
    func peek(token: String) async throws -> Value? {
        try await call("vault_peek", token: token)["structuredContent"]?["shown"]?["count"]
    }

    func tools(token: String? = nil) async throws -> [Value] {
        try await send("tools/list", token: token)["result"]?["tools"]?.array ?? []
    }

    // MARK: Tools

    @Test func `each event without secrets is a tool, whose schema is that of its fields`() async throws {
        let tools = try await tools()
        let names = tools.compactMap { $0["name"]?.string }
        #expect(!names.contains("login_loginButtonPressed"))
        #expect(!names.contains("vault_open"))
        #expect(names.contains("vault_peek"))
        #expect(names.count == Set(names).count)
        let selection = try #require(tools.first { $0["name"] == "products_onSelected" })
        #expect(selection["inputSchema"]?["required"] == ["product"])
        #expect(selection["inputSchema"]?["properties"]?["product"]?["type"] == "string")
        #expect(selection["annotations"] == ["readOnlyHint": false])
        #expect(selection["description"]?.string?.contains("Can go to the page 'product'.") == true)
        let start = try #require(tools.first { $0["name"] == "products_onStart" })
        #expect(start["annotations"]?["readOnlyHint"] == true)
        #expect(start["inputSchema"] == ["type": "object", "properties": [:], "additionalProperties": false])
    }

    @Test func `a call runs the event in the session, and says what the screen shows and what is next`() async throws {
        let token = try await service.newToken()
        _ = try await call("products_onStart", token: token)
        let selected = try await call("products_onSelected", ["product": "Car"], token: token)
        #expect(selected["isError"] == false)
        #expect(selected["resultType"] == "complete")
        #expect(selected["structuredContent"]?["shown"]?["title"] == "Products")
        #expect(selected["structuredContent"]?["goToPage"]?["values"] == ["product": "Car"])
        let text = try #require(selected["content"]?.array?.first?["text"]?.string)
        #expect(
            text.hasPrefix(
                "Went to product with {\"product\":\"Car\"}.\nThe page 'products' shows:\n- title: \"Products\""
            )
        )
        #expect(text.hasSuffix("Next: product_onStart(product)"))
        #expect(try await TestClient(service, token: token).get("/session/history?since=0").commands.count == 5)
    }

    @Test func `what the page rejects is an error of the tool with every fault`() async throws {
        let token = try await service.newToken()
        let wrong = try await call("products_onSelected", ["product": 3, "amount": 1], token: token)
        #expect(wrong["isError"] == true)
        #expect(wrong["structuredContent"]?["errors"]?.array?.map { $0["field"] } == ["amount"])
        let many = (1...8000).reduce(into: Value.Object()) { $0.append("\($1)", 1) }
        let listed = try await call("products_onStart", many, token: token)["structuredContent"]?["errors"]?.array
        #expect(listed?.count == 100)
        _ = try await call("products_onSelected", ["product": "Car"], token: token)
        // The page has kept the car.
        let missing = try await call("products_onSelected", token: token)
        #expect(missing["structuredContent"]?["errors"]?.array?.map { $0["code"] } == ["missingField"])
        let typed = try await call("products_onSelected", ["product": 3], token: token)
        #expect(typed["structuredContent"]?["errors"]?.array?.map { $0["code"] } == ["wrongFieldType"])
        let refused = try await call("products_onSelected", ["product": "Train"], token: token)
        #expect(refused["isError"] == true)
        #expect(refused["structuredContent"]?["alert"]?["code"] == "products.unknown")
        #expect(
            refused["content"]?.array?.first?["text"]?.string?.hasPrefix("Rejected: product: Unknown product") == true
        )
    }

    @Test func `a model never learns a secret output, nor sends a secret field that is not declared for agents`()
        async throws
    {
        let token = try await service.newToken()
        let peeked = try await call("vault_peek", token: token)
        #expect("\(peeked)".contains("gold"))
        #expect(!"\(peeked)".contains("1234"))
        // A field of another event.
        #expect(try await call("vault_peek", ["code": "1234"], token: token)["isError"] == true)
        #expect(try await call("vault_tell", ["word": "sesame"], token: token)["isError"] == false)
        #expect(try await send("tools/call", ["name": "vault_open"], token: token)["error"]?["code"] == -32602)
    }

    @Test func `a call that is sent again with its key runs once`() async throws {
        let token = try await service.newToken()
        let params: Value.Object = ["name": "vault_peek", "arguments": [:]]
        for _ in 1...2 {
            let answer = try await send("tools/call", params, token: token, meta: ["idempotencyKey": "a"])
            #expect(try answer["result"]?["structuredContent"]?["shown"]?["count"] == 1)
        }
        let numbered = try await send("tools/call", params, token: token, meta: ["idempotencyKey": 5])
        #expect(try numbered["error"]?["code"] == -32602)
    }

    // MARK: Agents of users

    @Test func `an agent acts for its user in a session of its own, to which its token does not lead otherwise`()
        async throws
    {
        let shown = try await call("home_viewDidLoad", token: "changes")
        #expect(shown["structuredContent"]?["shown"]?["username"] == "lisa")
        #expect(try await peek(token: "changes") == 1)
        #expect(try await peek(token: "changes") == 2)
        #expect(try await service.sessions(ofUser: "1").count == 1)
        // It follows from the secret token, not from what a database contains of the agent.
        #expect(try await peek(token: "changes, too") == 1)
        try await expect(TestClient(service, token: "changes").get("/session"), 401)
        try await expect(send("tools/list", token: "unknown"), 401)
    }

    @Test func `an agent that may only look has the safe events`() async throws {
        let names = try await tools(token: "looks").compactMap { $0["name"]?.string }
        #expect(names.contains("products_onStart"))
        #expect(!names.contains("products_onSelected"))
        #expect(
            try await send("tools/call", ["name": "products_onSelected"], token: "looks")["error"]?["code"] == -32602
        )
        #expect(try await call("products_onStart", token: "looks")["isError"] == false)
    }

    @Test func `simultaneous first calls of an agent start one session`() async throws {
        let counts = try await concurrently(8) { _ in
            // What is shown can be what a later call has shown.
            let content = try await call("vault_peek", token: "changes")["structuredContent"]
            return content?["commands"]?.array?.first?["value"]?.integer
        }
        #expect(Set(counts) == Set((1...8).map { $0 as Int? }))
        #expect(try await service.sessions(ofUser: "1").count == 1)
    }

    @Test func `after a logout, the agent is told when it can go on`() async throws {
        _ = try await call("home_logoutButtonPressed", token: "changes")
        let answer = try await expect(send("tools/call", ["name": "home_viewDidLoad"], token: "changes"), 401)
        #expect(try answer["detail"]?.string?.hasPrefix("The agent has logged its user out.") == true)
    }

    // MARK: Messages

    @Test(arguments: [
        ("", -32700), ("{", -32700), ("[]", -32600), (#"{"id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    ])
    func `what is no message is an error without an id`(body: String, code: Int) async throws {
        let answer = expect(await service.send(.json("/mcp", body)), 400)
        #expect(try answer["error"]?["code"] == Value(code))
        #expect(try answer["id"] == .null)
    }

    @Test func `what is no JSON is named with its place`() async throws {
        let answer = await service.send(.json("/mcp", #"{"jsonrpc":"2.0","id":1,"#))
        #expect(try answer["error"]?["message"] == "At byte 24: the text ends too early.")
    }

    @Test func `a header field that contradicts the body, and another revision, are rejected`() async throws {
        var (message, right) = message("tools/call", ["name": "vault_peek"])
        right[2].value = "=?base64?dmF1bHRfcGVlaw==?="
        // Without a token.
        try await expect(post(message, right), 401)
        for (index, other) in [(0, "2025-11-25"), (1, "tools/list"), (2, "vault_open"), (2, nil)] as [(Int, String?)] {
            var headers = right
            headers[index].value = other
            #expect(try await expect(post(message, headers), 400)["error"]?["code"] == -32020)
        }
        message["params"] = ["_meta": ["io.modelcontextprotocol/protocolVersion": "2099-01-01"]]
        let answer = try await expect(post(message), 400)
        #expect(try answer["error"]?["data"]?["supported"] == ["2026-07-28", "2025-11-25", "2025-06-18"])
    }

    @Test func `a client with a handshake gets its revision, and a client without one can ask for it`() async throws {
        func initialize(_ version: String) async throws -> Value? {
            let params: Value = ["protocolVersion": .string(version), "capabilities": [:]]
            return try await post(["jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params])["result"]
        }
        #expect(try await initialize("2025-06-18")?["protocolVersion"] == "2025-06-18")
        #expect(try await initialize("2024-11-05")?["protocolVersion"] == "2025-11-25")
        #expect(try await initialize("2025-11-25")?["serverInfo"]?["name"] == "Understudy")
        #expect(try await expect(post(["jsonrpc": "2.0", "method": "notifications/initialized"]), 202).body.isEmpty)
        #expect(try await send("server/discover")["result"]?["cacheScope"] == "public")
        try await expect(send("prompts/list"), 404)
        let unknown = try await expect(post(["jsonrpc": "2.0", "id": 1, "method": "prompts/list"]), 200)
        #expect(try unknown["error"]?["code"] == -32601)
    }

    @Test func `each page is a resource: what its screen shows`() async throws {
        let list = try await send("resources/list")["result"]?["resources"]?.array ?? []
        #expect(list.contains { $0["uri"] == "understudy://page/vault" })
        let token = try await service.newToken()
        _ = try await call("vault_peek", token: token)
        let read = try await send("resources/read", ["uri": "understudy://page/vault"], token: token)
        let text = try read["result"]?["contents"]?.array?.first?["text"]?.string ?? ""
        #expect(try JSONReader.read(text.bytes)["shown"] == ["count": 1, "content": "gold"])
        #expect(try await send("resources/read", ["uri": "understudy://page/none"])["error"]?["code"] == -32602)
    }

    // MARK: Subscriptions

    func subscription(to pages: [String]) -> Value.Object {
        let uris = pages.map { Value.string("understudy://page/\($0)") }
        return ["notifications": ["toolsListChanged": true, "resourceSubscriptions": .array(uris)]]
    }

    func notification(_ name: String, _ params: Value.Object) -> Value {
        var params = params
        params["_meta"] = ["io.modelcontextprotocol/subscriptionId": 7]
        return ["jsonrpc": "2.0", "method": .string("notifications/\(name)"), "params": .object(params)]
    }

    /// What a subscription of a client receives while the server runs, up to its end.
    func messages(
        of pages: [String],
        token: String,
        during change: (StreamClient) async throws -> Void
    ) async throws -> [Value] {
        try await withServer(service) { port in
            let client = try await StreamClient(port: port, token: token)
            let (message, headers) = message("subscriptions/listen", subscription(to: pages))
            try await client.send("/mcp", "\(message)", others: headers)
            try await client.waitFor("subscriptions/acknowledged")
            try await change(client)
            let (response, events) = try await client.receive()
            #expect(response.header("Content-Type") == "text/event-stream")
            return try events.map { try $0.json }
        }
    }

    @Test(arguments: ["session", "changes"])
    func `a subscription says which of its pages show something else, and its end`(kind: String) async throws {
        let token = kind == "session" ? try await service.newToken() : kind
        let received = try await messages(of: ["vault", "products", "none"], token: token) { client in
            _ = try await call("vault_peek", token: token)
            try await client.waitFor(#""uri":"understudy://page/vault""#)
            // Of another page, and so of no interest.
            _ = try await call("home_viewDidLoad", token: token)
            _ = try await call("products_onStart", token: token)
            try await client.waitFor(#""uri":"understudy://page/products""#)
            service.startDraining()
        }
        let vault: Value = "understudy://page/vault"
        let products: Value = "understudy://page/products"
        #expect(
            received == [
                notification(
                    "subscriptions/acknowledged",
                    ["notifications": ["resourceSubscriptions": [products, vault]]]
                ),
                notification("resources/updated", ["uri": vault]),
                notification("resources/updated", ["uri": products]),
                [
                    "id": 7,
                    "result": [
                        "resultType": "complete", "_meta": ["io.modelcontextprotocol/subscriptionId": 7],
                    ], "jsonrpc": "2.0",
                ],
            ]
        )
    }

    @Test func `a subscription of an agent that its user has ended learns nothing more`() async throws {
        let isEnded = Atomic(false)
        var other = self
        other.service = UnderstudyService(pages: [Page("vault", Vault())]) { configuration in
            Self.configure(&configuration)
            let find = configuration.findAgent
            configuration.findAgent = { isEnded.load(ordering: .relaxed) ? nil : try await find?($0) }
        }
        let received = try await other.messages(of: ["vault"], token: "changes") { _ in
            _ = try await other.call("vault_peek", token: "changes")
            isEnded.store(true, ordering: .relaxed)
            other.service.waitingRequests.wakeAll()
        }
        #expect(received.last?["error"]?["message"]?.string?.hasPrefix("The agent's token is unknown") == true)
    }

    @Test func `a subscription whose session ends says why`() async throws {
        let token = try await service.newToken()
        let received = try await messages(of: ["vault"], token: token) { _ in
            _ = try await TestClient(service, token: token).delete("/session")
        }
        #expect(received.last?["error"]?["code"] == -32603)
        #expect(received.last?["error"]?["message"]?.string?.isEmpty == false)
        #expect(service.waitingRequests.count == 0)
    }

    @Test(arguments: [0, 1, 5])
    func `after the agent's session has begun again, each page may have changed`(position: Int) throws {
        let message = try AgentMessage("\(message("subscriptions/listen", subscription(to: ["vault"])).0)".bytes)
        let history = CommandHistory(limit: 8)
        history.append(.render("title", "Products"), page: "products")
        let pages = [Page("vault", Vault())]
        let stream = HistoryStream(try AgentSubscription(message, id: 7, pages: pages), since: position)
        #expect(stream.bytes(of: stream.parts(of: history)).text.contains("resources/updated") == (position == 5))
    }

    @Test func `a subscription needs a session, a filter and a short id`() async throws {
        try await expect(send("subscriptions/listen", subscription(to: ["vault"])), 401)
        let token = try await service.newToken()
        for filter in [[:], ["notifications": []], ["notifications": ["resourceSubscriptions": [1]]]] as [Value.Object]
        {
            #expect(try await send("subscriptions/listen", filter, token: token)["error"]?["code"] == -32602)
        }
        var (message, headers) = message("subscriptions/listen", subscription(to: []), token: token)
        message["id"] = .string("a".repeated(300))
        #expect(try await post(message, headers)["error"]?["code"] == -32600)
        let legacy: Value = ["jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen"]
        #expect(try await post(legacy)["error"]?["code"] == -32601)
    }

    @Test func `a recording of a session of an agent names the agent`() async throws {
        let place = RecordingDirectory()
        var other = self
        other.service = try place.service([Page("vault", Vault())], configure: Self.configure)
        _ = try await other.call("vault_peek", token: "changes")
        #expect(try place.recording.agent == "b")
        #expect(try place.recording.events.map(\.event) == [Event("peek")])
    }

    @Test func `another site cannot send a message, and cookies do not count`() async throws {
        let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
        let foreign = await service.send(
            .json("/mcp", message, ["Origin": "https://evil.example", "Host": "localhost"])
        )
        expect(foreign, 403)
        let client = TestClient(service)
        try await client.logIn()
        let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"home_viewDidLoad"}}"#
        try await expect(client.post("/mcp", call), 401)
    }

    @Test func `without the setting, there is no endpoint`() async throws {
        let service = UnderstudyService(pages: Page.demo())
        expect(await service.send(.json("/mcp", #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)), 404)
    }
}

/// A page with secrets.
private struct Vault: Script {
    static let code = Field<String>("code", isSecret: true)
    static let word = Field<String>("word", isSecret: true, fromAgent: true)
    static let count = Output<Int>("count")
    static let content = Output<String>("content")
    static let shownCode = Output<String>("shownCode", isSecret: true)
    static let initial = 0

    static let events: Events = [
        .default("open", reads: code, gives: [.renders(content)]) { controller, _ in controller.render(content, "gold")
        },
        .event("peek", gives: [.renders(count), .renders(content), .renders(shownCode)]) { controller in
            controller.state += 1
            controller.render(count, controller.state)
            controller.render(content, "gold")
            controller.render(shownCode, "1234")
        },
        .event("tell", reads: word, gives: [.renders(content)]) { controller, _ in controller.render(content, "gold") },
    ]
}
