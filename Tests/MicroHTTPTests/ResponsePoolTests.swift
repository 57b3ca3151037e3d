@testable import MicroHTTP

struct ResponsePoolTests {
    let pool = ResponsePool(overwritesHeaders: false)

    @Test func `a response that is put back is used again for a body of the same size, without another header`() throws
    {
        let first = try #require(pool.take(for: response("one")))
        #expect(pool.take(for: response("two")) !== first)
        pool.put(first)
        #expect(pool.take(for: response("three")) !== first)
        #expect(pool.take(for: response("one", headers: [("Allow", "GET")])) !== first)
        #expect(pool.take(for: response("two")) === first)
    }

    @Test func `a response with a large body or several headers of its own is not kept`() {
        #expect(pool.take(for: response("a".repeated(4097))) == nil)
        #expect(pool.take(for: response("one", headers: [("Allow", "GET"), ("Retry-After", "1")])) == nil)
    }

    @Test func `each response of the installed library has its own, writable header values`() {
        #expect(LibraryCheck.installed.ownsHeaderValues)
    }

    func response(_ text: String, headers: [(name: HeaderName, value: String)] = []) -> Response {
        Response(status: 200, headers: headers, body: text.bytes)
    }
}
