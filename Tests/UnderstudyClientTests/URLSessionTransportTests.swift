#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct URLSessionTransportTests {
    @Test(arguments: ["", "/"])
    func `a response has status, headers and body`(end: String) async throws {
        try await withServer(Page.demo()) { address in
            let transport = URLSessionTransport(try url("http://\(address)\(end)"))
            let response = try await transport.send(RemoteRequest("GET", "/problems/missingField"))
            #expect(response.status == 200)
            #expect(response.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(response.body.text.hasPrefix("missingField (HTTP status 422): "))
        }
    }

    @Test func `the path of the base URL is the prefix of every path`() async throws {
        try await withServer(Page.demo()) { address in
            let transport = URLSessionTransport(try url("http://\(address)/understudy/"))
            let response = try await transport.send(RemoteRequest("GET", "/session/history?since=1"))
            #expect(response.status == 404)
            #expect(response.body.text.contains("There is nothing at '/understudy/session/history'."))
        }
    }

    @Test func `cookies are not saved`() async throws {
        let headers = ["Content-Type": "application/json"]
        let request = RemoteRequest("POST", "/email", headers: headers, body: "{\"email\":\"a\"}".bytes)
        try await withService(Page.demo()) { transport in
            for _ in 1...2 {
                let response = try await transport.send(request)
                #expect(response.body.text.hasPrefix(#"{"sequence":1,"#))
                #expect(response.headers["set-cookie"]?.hasPrefix("session=") == true)
            }
        }
    }

    @Test func `a closed port is an error`() async throws {
        // No server of another test can get that port.
        let transport = URLSessionTransport(try url("http://127.0.0.1:1"))
        await #expect(throws: URLError.self) { try await transport.send(RemoteRequest("GET", "/login")) }
    }

    func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
}
