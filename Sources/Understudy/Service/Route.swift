import BusinessLogic
import MicroHTTP

/// A path that the service itself answers, beside the pages.
struct Route: Sendable {
    let method: Method
    /// The path below the service's prefix; a last segment in braces stands for anything.
    let path: String
    /// What the OpenAPI document says of it; made only for the document.
    let operation: @Sendable () -> ServiceOperation
    let handle: @Sendable (UnderstudyService, Request) async throws -> Response

    private init(
        _ method: Method,
        _ path: String,
        _ operation: @autoclosure @escaping @Sendable () -> ServiceOperation,
        handle: @escaping @Sendable (UnderstudyService, Request) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.handle = handle
    }

    /// All of them.
    static let all: [Route] = [
        Route(.post, "/session", .startSession) { try await $0.startSession($1) },
        Route(.get, "/session", .showSession) { try await $0.showSession($1) },
        Route(.delete, "/session", .endSession) { try await $0.endSession($1) },
        Route(.get, "/session/history", .showHistory) { try await $0.showHistory($1) },
        Route(.get, "/session/recording", .showRecording) { try await $0.showRecording($1) },
        Route(.post, "/validate", .validate) { try $0.validate($1) },
        Route(.get, "/livez", .live) { service, _ in
            if !service.isAlive { throw Problem(.unavailable, "An event loop is held up.", retryAfter: .seconds(1)) }
            return .text("ok\n")
        },
        Route(.get, "/readyz", .ready) { service, _ in
            if service.isDraining { throw Problem(.unavailable, "The server is stopping.", retryAfter: .seconds(1)) }
            return .text("ok\n")
        },
        Route(.get, "/openapi.yaml", .openAPIYAML) { service, _ in
            Response(status: 200, contentType: .yaml, body: Array(service.openAPI.yaml.utf8))
        },
        Route(.get, "/openapi.json", .openAPIJSON) { service, _ in
            Response(status: 200, contentType: .json, body: service.openAPI.json)
        },
        Route(.get, "/problems/{code}", .explainProblem) { service, request in
            let path = service.configuration.pathPrefix.local(request.path) ?? ""
            let name = String(path.utf8.dropFirst("/problems/".utf8.count)) ?? ""
            guard let code = Problem.Code.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
                throw Problem(
                    .unknownProblem,
                    members: ["codes": .array(Problem.Code.allCases.map { .string($0.rawValue) })]
                )
            }
            return .text("\(code.rawValue) (HTTP status \(code.status)): \(code.title).\n\n\(code.explanation)\n")
        },
    ]

    /// The names that a page cannot have.
    static let reservedNames: Set<String> = ["session", "livez", "readyz", "problems", "metrics", "validate"]

    /// Whether it is the route of a path, which stands there without the service's prefix.
    func matches(_ path: some StringProtocol) -> Bool {
        // As bytes: characters that a client chooses can make comparing text slow.
        guard self.path.utf8.last == UInt8(ascii: "}"), let brace = self.path.utf8.firstIndex(of: UInt8(ascii: "{"))
        else { return path.utf8.elementsEqual(self.path.utf8) }
        let prefix = self.path.utf8[..<brace]
        return path.utf8.starts(with: prefix) && path.utf8.count > prefix.count
    }
}

extension Response {
    /// Plain text.
    static func text(_ text: String) -> Response {
        Response(status: 200, contentType: .text, body: Array(text.utf8))
    }
}

extension ContentType {
    /// A problem (RFC 9457).
    static let problem: ContentType = "application/problem+json"
    /// JSON values, one a line.
    static let jsonLines: ContentType = "application/jsonl"
    /// YAML (RFC 9512).
    static let yaml: ContentType = "application/yaml"
}
