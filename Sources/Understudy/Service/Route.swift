import BusinessLogic
import HTTPMessages
import UnderstudyPages

/// An endpoint of the service that is not a page. The files in `Routes` define them, and `Understudy/OpenAPI/document.yaml` describes them.
struct Route: Sendable {
    let method: Method
    /// The path without the service's prefix. A last segment in braces matches any text.
    let path: String
    let handle: @Sendable (UnderstudyService, Request, inout RequestRecord) async throws -> Response

    init(
        _ method: Method,
        _ path: String,
        handle: @escaping @Sendable (UnderstudyService, Request, inout RequestRecord) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.handle = handle
    }

    static let all = [
        Route(.get, "/") { service, _, _ in service.showIndex() },
        Route(.post, "/session") { service, request, _ in try await service.startSession(request) },
        Route(.get, "/session") { service, request, _ in try await service.showSession(request) },
        Route(.delete, "/session") { service, request, _ in try await service.endSession(request) },
        Route(.get, "/session/history") { try await $0.showHistory($1, &$2) },
        Route(.get, "/session/recording") { service, request, _ in try await service.showRecording(request) },
        Route(.post, "/validate") { service, request, _ in try service.validate(request) },
        Route(.get, "/validate") { service, _, _ in .json(["rules": .array(service.rules.map(\.value))]) },
        Route(.post, "/validate/{rule}") { service, request, _ in try service.validateValue(request) },
        Route(.get, "/livez") { service, _, _ in try service.showLiveness() },
        Route(.get, "/readyz") { service, _, _ in try service.showReadiness() },
        Route(.get, "/openapi.yaml") { service, request, _ in
            try await service.showDocument(.yaml, to: request) { Array($0.yaml.utf8) }
        },
        Route(.get, "/openapi.json") { service, request, _ in
            try await service.showDocument(.json, to: request) { $0.json }
        },
        Route(.get, "/problems/{code}") { service, request, _ in try service.explainProblem(request) },
    ]

    /// The files of ``ServiceConfiguration/wellKnown``.
    static let wellKnown = Route(.get, "/.well-known/{name}") { service, request, _ in
        try await service.showWellKnown(request)
    }

    /// Whether the route has that path. The path does not contain the service's prefix.
    func matches(_ path: some StringProtocol) -> Bool {
        // As bytes: comparing the characters of a client's text can be slow.
        let own = self.path.utf8
        guard own.last == UInt8(ascii: "}"), let brace = own.firstIndex(of: UInt8(ascii: "{")) else {
            return path.utf8.elementsEqual(own)
        }
        let prefix = own[..<brace]
        return path.utf8.starts(with: prefix) && path.utf8.count > prefix.count
    }
}
