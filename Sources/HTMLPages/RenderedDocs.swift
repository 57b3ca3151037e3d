import HTTPMessages
import Synchronization

/// The page of an OpenAPI document in each language.
///
/// Rendering it takes a tenth of a second, so that it is done once for each language, and not on an event loop.
final class RenderedDocs: Sendable {
    private struct Page {
        let document: [UInt8]
        let response: Task<Response, Never>
    }

    private let pages = Mutex<[String: Page]>([:])

    /// The page of a document.
    ///
    /// - Parameters:
    ///   - document: the document's bytes. The page is rendered again only if they have changed.
    ///   - language: one of the languages of the labels.
    ///   - render: renders the page. What it renders may depend on nothing else.
    func page(
        of document: [UInt8],
        in language: String,
        render: @escaping @Sendable () -> Response
    ) async -> Response {
        let response = pages.withLock { pages in
            if let page = pages[language], page.document == document { return page.response }
            let response = Task.detached { render() }
            pages[language] = Page(document: document, response: response)
            return response
        }
        return await response.value
    }
}
