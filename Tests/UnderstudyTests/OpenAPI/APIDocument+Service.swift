@testable import Understudy

extension APIDocument {
    /// The document of those pages, as the service returns it.
    init(_ pages: [Page], configure: ServiceChange = { _ in }) throws {
        var configuration = ServiceConfiguration()
        configure(&configuration)
        try self.init(OpenAPIDocument(pages: pages, configuration: configuration))
    }
}
