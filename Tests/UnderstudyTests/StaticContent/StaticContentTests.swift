struct StaticContentTests {
    let text = "text ".repeated(1000).bytes
    let content: StaticContent

    init() throws { content = try StaticContent(text, .text) }

    func response(_ content: StaticContent, _ headers: (HeaderName, String)...) -> Response {
        content.response(to: Request(.get, "/a", headers: Headers(headers.map { (name: $0, value: $1) })))
    }

    @Test func `a client that accepts gzip gets the content compressed`() throws {
        let plain = response(content)
        #expect(plain.body == text)
        #expect(plain.header("Content-Encoding") == nil)
        let gzip = response(content, ("Accept-Encoding", "br, gzip"))
        #expect(gzip.status == 200 && gzip.body.count < 100)
        #expect(gzip.body.gunzipped == text)
        #expect(gzip.header("Content-Encoding") == "gzip")
        for response in [plain, gzip] {
            #expect(response.header(.vary) == "Accept-Encoding")
            #expect(response.header(.contentType) == "text/plain; charset=utf-8")
            #expect(response.header("X-Content-Type-Options") == "nosniff")
            #expect(response.header(.cacheControl) == "no-cache")
        }
    }

    @Test func `each encoding has its own strong tag, with which its client gets 304`() throws {
        let tag = try #require(response(content).header("ETag"))
        let gzipTag = try #require(response(content, ("Accept-Encoding", "gzip")).header("ETag"))
        #expect(tag != gzipTag)
        for tag in [tag, gzipTag] { #expect(tag.wholeMatch(of: /"[0-9a-f]{16}"/) != nil) }
        #expect(response(content, ("If-None-Match", tag)).status == 304)
        #expect(response(content, ("If-None-Match", gzipTag)).status == 200)
        #expect(response(content, ("If-None-Match", tag), ("Accept-Encoding", "gzip")).status == 200)
        let unchanged = response(content, ("If-None-Match", gzipTag), ("Accept-Encoding", "gzip"))
        #expect(unchanged.status == 304 && unchanged.body.isEmpty)
        #expect(unchanged.header("ETag") == gzipTag)
        #expect(unchanged.header(.vary) == "Accept-Encoding")
        for name: HeaderName in ["Content-Encoding", .contentType] { #expect(unchanged.header(name) == nil) }
    }

    @Test func `If-None-Match is a list of strong and weak tags, or an asterisk`() throws {
        let tag = try #require(response(content).header("ETag"))
        for known in ["*", "W/\(tag)", "\"a\",\t\(tag) , \"b\"", ", \(tag)"] {
            #expect(response(content, ("If-None-Match", known)).status == 304, "\(known)")
        }
        for other in ["", "\"a\"", String(tag.dropFirst().dropLast()), "w/\(tag)", "\(tag)\(tag)", "\"*\""] {
            #expect(response(content, ("If-None-Match", other)).status == 200, "\(other)")
        }
        #expect(response(content, ("If-None-Match", "\"a\""), ("If-None-Match", tag)).status == 304)
    }

    @Test func `content that compression does not make smaller is the same for all`() throws {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<5000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        for content in [
            try StaticContent(Array(text.prefix(1024)), .text), try StaticContent(text, "image/png"),
            try StaticContent(noise, .text), try StaticContent([], .text),
        ] {
            let answer = response(content, ("Accept-Encoding", "gzip"))
            expect(answer, 200)
            #expect(answer.header("Content-Encoding") == nil)
            #expect(answer.header(.vary) == nil)
            #expect(answer.body == response(content).body)
        }
        #expect(response(try StaticContent(Array(text.prefix(1025)), .text)).header(.vary) == "Accept-Encoding")
    }

    @Test func `its own headers are kept, and Vary has one value`() throws {
        let answer = try response(StaticContent(text, .json, headers: [(.vary, "Accept"), ("Content-Language", "de")]))
        #expect(answer.header("Content-Language") == "de")
        #expect(answer.fields.filter { $0.name == .vary }.map(\.value) == ["Accept, Accept-Encoding"])
    }
}
