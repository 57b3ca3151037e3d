import TestSupport

@testable import Understudy

extension APIDocument {
    /// The document of those pages, as the service returns it.
    init(_ pages: [Page], _ configuration: ServiceConfiguration = ServiceConfiguration()) throws {
        try self.init(OpenAPIDocument(pages: pages, configuration: configuration))
    }
}
