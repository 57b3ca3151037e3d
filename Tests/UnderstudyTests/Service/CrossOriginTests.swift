@testable import Understudy
@testable import UnderstudyPages

struct CrossOriginTests {
    static let named = "https://app.example"

    func service(_ list: String? = named, requests: Rate? = nil) throws -> UnderstudyService {
        try UnderstudyService {
            $0.allowedOrigins = try list.map { list in try AllowedOrigins(list) } ?? AllowedOrigins()
            $0.requests = requests
        }
    }

    func headers(of answer: Answer) -> [String] {
        answer.headers.map(\.name).filter { $0.hasPrefix("Access-Control-") || $0 == "Vary" }
    }

    func expectReadable(_ answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) {
        let names = ["Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Vary"]
        #expect(names.map(answer.header) == [Self.named, "true", "Origin"], sourceLocation: sourceLocation)
        #expect(Set(headers(of: answer)).count == headers(of: answer).count, sourceLocation: sourceLocation)
    }

    // MARK: Responses

    @Test(arguments: [
        (Method.get, "/login", 200), (.head, "/login", 200), (.post, "/products", 200), (.post, "/session", 201),
        (.delete, "/session", 204), (.get, "/session", 401), (.get, "/nowhere", 404), (.delete, "/login", 405),
        (.post, "/login", 422), (.options, "/login", 204), (.get, "/livez", 200),
    ])
    func `a script of an allowed origin can read every response`(method: Method, target: String, status: Int)
        async throws
    {
        let fields: Headers = ["Host": "a", "Origin": Self.named, "Sec-Fetch-Site": "cross-site"]
        let answer = try await service().send(Request(method, target, headers: fields))
        expect(answer, status)
        expectReadable(answer)
        #expect(answer.header("Access-Control-Expose-Headers")?.contains("X-Request-ID") == true)
    }

    @Test func `a script of an allowed origin can read a 429 response`() async throws {
        let service = try service(requests: Rate(1, per: .seconds(60)))
        let request = Request(.get, "/login", headers: ["Origin": Self.named], clientAddress: IPAddress("203.0.113.7"))
        expectReadable(await service.send(request))
        await expectReadable(expect(service.send(request), 429))
    }

    @Test(arguments: [
        nil, "https://other.example", "null", "https://app.example/", "https://app.example.b", "HTTPS://app.example",
    ])
    func `other origins get no CORS headers`(origin: String?) async throws {
        for (service, origin) in [(try service(), origin), (try service(nil), origin), (try service(nil), Self.named)] {
            for (method, target) in [(Method.get, "/login"), (.post, "/login"), (.options, "/login"), (.get, "/x")] {
                let headers = Headers(optional: [("Origin", origin)])
                #expect(self.headers(of: await service.send(Request(method, target, headers: headers))) == [])
            }
        }
    }

    @Test func `the CORS headers expose all of the service's headers`() {
        let exposed = Set(AllowedOrigins.exposedHeaders.split(separator: ", ").map(String.init))
        let unreadable: Set = ["Set-Cookie", "Cache-Control", "X-Content-Type-Options", "Vary"]
        // A browser exposes it in any case (Fetch, "CORS-safelisted response-header name").
        let always: Set = ["Content-Language"]
        let all = Set(DocumentTemplate.part("headers").map(\.name) + ["X-Request-ID"])
        #expect(exposed.union(always).isSuperset(of: all.subtracting(unreadable)))
    }

    // MARK: Preflights

    @Test(arguments: ["/login", "/session", "/validate", "/nowhere", "/livez"])
    func `a preflight of an allowed origin is answered`(target: String) async throws {
        let fields: Headers = [
            "Host": "a", "Origin": Self.named, "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type,idempotency-key",
        ]
        let answer = try await service("https://b.example, " + Self.named).send(
            Request(.options, target, headers: fields)
        )
        let allowed = """
            Content-Type, Authorization, Idempotency-Key, Last-Event-ID, Prefer, Session-User, Device-Token, \
            X-Request-ID, traceparent
            """
        expect(
            answer,
            204,
            has: [
                "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE", "Access-Control-Allow-Headers": allowed,
                "Access-Control-Max-Age": "7200",
            ]
        )
        expectReadable(answer)
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: ["https://other.example", "null", "http://app.example", "https://app.example:8443"])
    func `a preflight of another origin is rejected`(origin: String) async throws {
        let fields: Headers = ["Host": "a", "Origin": origin, "Access-Control-Request-Method": "POST"]
        for service in [try service(), try service(nil)] {
            let answer = try expect(await service.send(Request(.options, "/login", headers: fields)), 403, "crossSite")
            #expect(headers(of: answer) == [])
        }
    }

    // MARK: The engine
    @Test(arguments: [RequestRejection.bodyTooLarge(limit: 1), .malformedRequest("x"), .responseTimeout])
    func `a script of an allowed origin can read the engine's rejections`(rejection: RequestRejection) throws {
        let request = Request(.post, "/login", headers: ["Origin": Self.named])
        expectReadable(Answer(try service().reject(rejection, of: request)))
    }
}
