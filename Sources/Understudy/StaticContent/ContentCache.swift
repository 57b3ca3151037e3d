import Synchronization

/// Static contents that are made at their first request, because most processes never serve them.
///
/// Making one takes up to a tenth of a second, so that it is done once, and not on an event loop.
package final class ContentCache: Sendable {
    private struct Entry {
        let source: [UInt8]
        let content: Task<StaticContent, any Error>
    }

    private let entries = Mutex<[String: Entry]>([:])

    package init() {}

    /// The content with that key. The cache keeps all, so that a client must not choose the key. If making it throws, the next request tries again.
    ///
    /// - Parameters:
    ///   - source: what the content is made from. It is made again only if this has changed.
    ///   - make: makes the content. It may depend on nothing but the key and the source.
    package func content(
        _ key: String,
        from source: [UInt8] = [],
        make: @escaping @Sendable () throws -> StaticContent
    ) async throws -> StaticContent {
        let content = entries.withLock { entries in
            if let entry = entries[key], entry.source == source { return entry.content }
            let content = Task.detached { try make() }
            entries[key] = Entry(source: source, content: content)
            return content
        }
        do {
            return try await content.value
        } catch {
            entries.withLock { $0[key] = nil }
            throw error
        }
    }
}
