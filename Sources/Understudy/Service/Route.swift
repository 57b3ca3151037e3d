import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI
import UnderstudyPages

/// An endpoint of the service that is not a page. The files in `Routes` define them, with their parts of the OpenAPI document.
struct Route: Sendable {
    /// The route's method and path, and its description for the OpenAPI document. A last segment of the path in braces matches any text.
    let endpoint: OpenAPIDocument.Endpoint
    let handle: @Sendable (UnderstudyService, Request) async throws -> Response

    init(
        _ method: Method,
        _ path: String,
        operation: @autoclosure @escaping @Sendable () -> ServiceOperation,
        handle: @escaping @Sendable (UnderstudyService, Request) async throws -> Response
    ) {
        self.init(method, path, describe: { _ in operation() }, handle: handle)
    }

    init(
        _ method: Method,
        _ path: String,
        describe: @escaping @Sendable ([ValidationRule]) -> ServiceOperation,
        handle: @escaping @Sendable (UnderstudyService, Request) async throws -> Response
    ) {
        endpoint = OpenAPIDocument.Endpoint(method, path, operation: describe)
        self.handle = handle
    }

    /// All routes, in the order of the OpenAPI document.
    static let all: [Route] = [
        .showIndex, .startSession, .showSession, .endSession, .showHistory, .showRecording, .validate, .showRules,
        .validateValue,
        .live, .ready, .openAPIYAML,
        .openAPIJSON, .explainProblem,
    ]

    /// Whether the route has that path. The path does not contain the service's prefix.
    func matches(_ path: some StringProtocol) -> Bool {
        // As bytes: comparing the characters of a client's text can be slow.
        let own = endpoint.path.utf8
        guard own.last == UInt8(ascii: "}"), let brace = own.firstIndex(of: UInt8(ascii: "{")) else {
            return path.utf8.elementsEqual(own)
        }
        let prefix = own[..<brace]
        return path.utf8.starts(with: prefix) && path.utf8.count > prefix.count
    }
}

extension OpenAPIDocument {
    /// The document of a service's pages, rules and routes.
    ///
    /// - Parameters:
    ///   - pages: the pages, with the rules that they register.
    ///   - configuration: the service's settings, with its other rules.
    init(pages: [Page], configuration: ServiceConfiguration = ServiceConfiguration()) {
        var header = Header(title: configuration.title, version: configuration.version)
        header.description = configuration.description
        header.licence = configuration.licence.map { ($0.name, $0.identifier) }
        header.origin = configuration.publicOrigin
        header.prefix = configuration.pathPrefix
        header.cookieName = "\(configuration.cookieName)"
        self.init(
            pages: Pages(pages, below: configuration.pathPrefix),
            rules: pages.flatMap(\.rules) + configuration.rules,
            endpoints: Route.all.map(\.endpoint),
            header: header
        )
    }
}
