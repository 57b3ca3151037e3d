struct RequestTests {
    @Test(arguments: [
        ("/login", "/login", nil),
        ("/login?", "/login", ""),
        ("/login?a=b", "/login", "a=b"),
        ("/login?a=b?c=d", "/login", "a=b?c=d"),
        ("/?", "/", ""),
        ("?a", "", "a"),
        ("", "", nil),
        ("*", "*", nil),
        ("/%2e%2e/%00?%3F", "/../%00", "%3F"),
        ("/%6Cogin?%73ince=%7e%2B%25", "/login", "since=~%2B%25"),
        ("/%2541%2f%4%zz%C3%A4%", "/%2541%2f%4%zz%C3%A4%", nil),
    ])
    func `the target is a path and an optional query, in which only unreserved characters are decoded`(
        target: String,
        path: String,
        query: String?
    ) {
        let request = Request(.get, target)
        #expect(request.path == path)
        #expect(request.query.map(String.init) == query)
    }

    /// Combining marks, which form one character with everything around them if the text is read as characters.
    static let marks = String(repeating: "\u{301}", count: 3 * 1024)

    @Test func `the query begins at the first question mark, even if combining marks follow it`() {
        let request = Request(.get, "/login?\(Self.marks)?b")
        #expect(request.path.utf8.elementsEqual("/login".utf8))
        #expect(request.query?.utf8.elementsEqual("\(Self.marks)?b".utf8) == true)
    }

    @Test func `a request has no headers, no body and a new ID unless given`() {
        let requests = [Request(.get, "/"), Request(.get, "/")]
        #expect(requests[0].headers.all.count == 0)
        #expect(requests[0].body.isEmpty)
        #expect(requests[0].id != requests[1].id)
        #expect(Request(.get, "/", id: "mine").id == "mine")
    }

    @Test func `methods are case-sensitive`() {
        #expect(Method(rawValue: "GET") == .get)
        #expect(Method(rawValue: "get") != .get)
        #expect("\(Method.delete)" == "DELETE")
    }

    @Test func `a response's first header of a name is found, whatever its case`() {
        let response = Response(status: 200, headers: [("Allow", "GET"), ("allow", "POST")])
        #expect(response.header("ALLOW") == "GET")
        #expect(response.header("Allo") == nil)
    }

    @Test func `a response's fields include the common ones, the request's ID and the content type`() {
        let response = Response(
            status: 200,
            contentType: .json,
            common: CommonHeaders([(.cacheControl, "no-store")]),
            requestID: "mine",
            headers: [(.allow, "GET")]
        )
        let names: [HeaderName] = [.cacheControl, "X-Request-ID", .contentType, .allow]
        #expect(response.fields.map(\.name) == names)
        #expect(names.map(response.header) == ["no-store", "mine", "application/json", "GET"])
    }
}
