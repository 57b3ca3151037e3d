import BusinessLogic

/// The OpenAPI 3.1 document of a service.
struct OpenAPIDocument: Sendable {
    let yaml: String
    let json: [UInt8]

    init(pages: [Page]) {
        yaml = ""
        json = []
    }
}
