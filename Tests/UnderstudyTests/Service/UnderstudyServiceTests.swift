@testable import Understudy
@testable import UnderstudyPages

struct UnderstudyServiceTests {
    let service = UnderstudyService(pages: Page.demo())

    @Test(arguments: [
        "", "/nowhere", "/login/", "//login", "/Login", "/log%2569n", "/login%00", "/login/x", "/session/", "/livez/",
        "/problems", "/validate/", "login", "/login;a=b", "/../login",
    ])
    func `an unknown path gets 404`(target: String) async throws {
        let pages: Value = ["login", "home", "register", "signup", "products", "product", "email"]
        for method in [Method.get, .post, .head, .delete, "OPTIONS"] {
            try expect(await service.send(Request(method, target)), 404, "unknownPage", ["pages": pages])
        }
    }

    @Test(
        arguments: [
            ("DELETE", "/login", "GET, POST"), ("PUT", "/login", "GET, POST"), ("get", "/login", "GET, POST"),
            ("PUT", "/session", "POST, GET, DELETE"), ("POST", "/session/history", "GET"), ("POST", "/livez", "GET"),
            ("POST", "/problems/internal", "GET"), ("PATCH", "/openapi.yaml", "GET"),
        ] as [(Method, String, String)]
    )
    func `a method that is not allowed gets 405 with the allowed ones`(method: Method, target: String, allowed: String)
        async throws
    {
        let answer = try expect(await service.send(Request(method, target)), 405, "methodNotAllowed")
        #expect(answer.header("Allow") == allowed + ", HEAD, OPTIONS")
    }

    @Test(arguments: [
        ("/login", "GET, POST, HEAD"), ("/log%69n", "GET, POST, HEAD"), ("/session?x", "POST, GET, DELETE, HEAD"),
        ("/livez", "GET, HEAD"), ("/validate", "POST, GET, HEAD"), ("/validate/email", "POST"),
        ("*", "GET, POST, DELETE, HEAD"),
    ])
    func `OPTIONS returns the allowed methods without a body`(target: String, allowed: String) async throws {
        // The others are not complete preflights.
        for headers in [[:], ["Access-Control-Request-Headers": "a"], ["Access-Control-Request-Method": "POST"]]
            as [Headers]
        {
            let answer = expect(await service.send(Request(.options, target, headers: headers)), 204)
            #expect(answer.headers.map(\.name) == ["Cache-Control", "X-Content-Type-Options", "X-Request-ID", "Allow"])
            #expect(answer.header("Allow") == allowed + ", OPTIONS")
            #expect(answer.body.isEmpty)
        }
        #expect(try await service.send(Request(.options, "/nowhere")).code == "unknownPage")
    }

    @Test func `a hint for operators follows the health check`() async throws {
        let service = UnderstudyService(pages: []) { $0.readinessHints = { ["mail: 3 waiting"] } }
        #expect(try await expect(service.get("/readyz"), 200).text == "ok\nmail: 3 waiting\n")
    }

    @Test func `a server that drains is alive but not ready`() async throws {
        service.startDraining()
        try await expect(service.get("/livez"), 200)
        try await expect(service.get("/readyz"), 503, "unavailable", has: ["Retry-After": "1"])
        // Clients that are already connected are served.
        try await expect(service.get("/login"), 200)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `every posted body gets a response as in the wire contract`(seed: UInt64) async throws {
        var random = RandomJSON(seed: seed)
        let service = UnderstudyService(pages: Page.demo() + [FormController.page])
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"", "=", "&", "%", "%C3", "+", "event", "values", "username", "password",
            "email", "onSelected", "signed", "note", "product", "Car", "age", "1", "true", "null", #""event":"#,
            #""values":{"#, "é",
        ]
        let types = [
            "application/json", "application/x-www-form-urlencoded", "application/json; charset=utf-8", "text/plain",
            nil,
        ]
        var cookie: String?
        for number in 1...100 {
            var body = Array((0..<random.number(0...12)).map { _ in random.element(of: pieces, or: "") }.joined().utf8)
            if random.number(0...3) == 0 { body = random.text(of: random.value(depth: 3)).bytes }
            if random.number(0...9) == 0 { body.append(UInt8(random.number(0...255))) }
            let page = random.element(of: service.pages.all.map(\.name), or: "login")
            let headers = Headers(
                optional: [
                    ("Content-Type", random.element(of: types, or: nil)), ("Cookie", cookie),
                    ("Idempotency-Key", random.number(0...3) == 0 ? "\(random.number(0...5))" : nil),
                ]
            )
            let answer = await service.send(Request(.post, "/\(page)", headers: headers, body: body, id: "\(number)"))
            cookie = answer.cookie ?? cookie
            #expect([200, 400, 415, 422].contains(answer.status), "\(page) \(body.text)")
            if answer.status == 200 {
                #expect(try answer["commands"]?.array != nil)
            } else {
                #expect(try answer["requestID"] == .string("\(number)"))
            }
        }
    }
}
