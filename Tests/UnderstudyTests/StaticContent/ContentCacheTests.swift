import HTTPMessages
import Synchronization
import Testing

@testable import Understudy

@Suite struct ContentCacheTests {
    private let cache = ContentCache()
    private let made = Counter()

    @Test func `content is made once, and again if its source has changed`() async throws {
        for (key, source) in [("en", "a"), ("en", "a"), ("de", "a"), ("en", "a"), ("en", "b"), ("en", "b")] {
            let content = try await cache.content(key, from: Array(source.utf8)) { [made] in
                made.add()
                return try StaticContent(Array((key + source).utf8), .text)
            }
            #expect(content.response(to: Request(.get, "/")).body == Array((key + source).utf8))
        }
        #expect(made.count == 3)
    }

    @Test func `an error is not kept`() async throws {
        await #expect(throws: GzipError.self) { try await cache.content("a") { throw GzipError(code: -4, size: 1) } }
        let content = try await cache.content("a") { try StaticContent([1], .text) }
        #expect(content.response(to: Request(.get, "/")).body == [1])
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock(\.self) }

    func add() { value.withLock { $0 += 1 } }
}
