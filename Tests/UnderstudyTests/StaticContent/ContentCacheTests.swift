@testable import Understudy

struct ContentCacheTests {
    let cache = ContentCache()
    let made = LockedValue(0)

    @Test func `content is made once, and again if its source has changed`() async throws {
        for (key, source) in [("en", "a"), ("en", "a"), ("de", "a"), ("en", "a"), ("en", "b"), ("en", "b")] {
            let content = try await cache.content(key, from: source.bytes) { [made] in
                made.change { $0 += 1 }
                return try StaticContent((key + source).bytes, .text)
            }
            #expect(content.response(to: Request(.get, "/")).body == (key + source).bytes)
        }
        #expect(made.value == 3)
    }

    @Test func `an error is not kept`() async throws {
        await #expect(throws: GzipError.self) { try await cache.content("a") { throw GzipError(code: -4, size: 1) } }
        let content = try await cache.content("a") { try StaticContent([1], .text) }
        #expect(content.response(to: Request(.get, "/")).body == [1])
    }
}
