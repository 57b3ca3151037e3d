import BusinessLogic
import HTTPMessages

/// An endpoint of the service that is not a page. The files in `Routes` define them, with their parts of the OpenAPI document.
struct Route: Sendable {
    let method: Method
    /// The path without the service's prefix. A last segment in braces matches any text.
    let path: String
    /// Describes the route for the OpenAPI document of a service with these rules.
    let operation: @Sendable ([ValidationRule]) -> ServiceOperation
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
        self.method = method
        self.path = path
        operation = describe
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
        guard self.path.utf8.last == UInt8(ascii: "}"), let brace = self.path.utf8.firstIndex(of: UInt8(ascii: "{"))
        else { return path.utf8.elementsEqual(self.path.utf8) }
        let prefix = self.path.utf8[..<brace]
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
        self.init(
            pages: Pages(pages, below: configuration.pathPrefix),
            rules: pages.flatMap(\.rules) + configuration.rules,
            endpoints: Route.all.map { Endpoint(method: $0.method, path: $0.path, operation: $0.operation) },
            header: Header(
                title: configuration.title,
                version: configuration.version,
                description: configuration.description,
                licence: configuration.licence.map { ($0.name, $0.identifier) },
                origin: configuration.publicOrigin,
                prefix: configuration.pathPrefix,
                cookieName: "\(configuration.cookieName)"
            )
        )
    }
}
