struct HeaderNameTests {
    @Test func `names are equal whatever their case`() {
        #expect("Content-Type" as HeaderName == .contentType)
        #expect(HeaderName(String("content-type")) == .contentType)
        #expect("Content-Typ" as HeaderName != .contentType)
    }

    @Test func `a name is printed as it was written`() {
        #expect(HeaderName.xRequestID.description == "X-Request-ID")
        #expect(HeaderName(String("x-REQUEST-id"))?.description == "x-REQUEST-id")
    }

    @Test(arguments: ["", "a b", "a:", "a\r\n", "\0", "ü"])
    func `a text that is not a token gives nil`(text: String) { #expect(HeaderName(text) == nil) }

    @Test(arguments: [
        HeaderName.allow, .authorization, .cacheControl, .contentLength, .contentType, .cookie, .expect, .host,
        .origin, .retryAfter, .secFetchSite, .setCookie, .transferEncoding, .vary, .xForwardedFor, .xRequestID,
    ])
    func `a constant is a token and finds its field`(name: HeaderName) {
        #expect(HeaderName(name.description) == name)
        #expect(Headers([(name, "a")])[name] == "a")
    }

    @Test func `a name that was read from text finds a field and is sent`() throws {
        let name = try #require(HeaderName(String("X-Other")))
        #expect((["x-other": "a"] as Headers)[name] == "a")
        #expect(Response(status: 200, headers: [(name, "a")]).header("X-OTHER") == "a")
    }
}
