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

    static let wellKnown = Route(.get, "/.well-known/{name}") { service, request, _ in
        try await service.showWellKnown(request)
    }

    static let agents = Route(.post, "/mcp") { try await $0.answerAgent($1, &$2) }

    /// The path does not contain the service's prefix.
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

extension UnderstudyService {
    /// HEAD is allowed with GET, OPTIONS everywhere.
    func route(_ request: Request, _ record: inout RequestRecord) async throws -> Response {
        let path = String(request.path)
        let page = pages[path: path]
        if let page {
            record.page = page
            record.trace?.request.page = page.name
        }
        switch request.method {
        case .options:
            return try configuration.allowedOrigins.preflight(request)
                ?? Response(status: 204, headers: [(.allow, methods(at: path).text)])
        case .get, .head:
            if let page { return try await show(page, request) }
        case .post:
            if let page { return try await post(request, to: page, &record) }
        default:
            break
        }
        let method = request.method == .head ? .get : request.method
        if let route = routes(at: path).first(where: { $0.method == method }) {
            return try await route.handle(self, request, &record)
        }
        throw Problem(methodNotAllowed: request.method, allowed: try methods(at: path))
    }

    private func routes(at path: String) -> [Route] {
        if let name = path.wellKnownName, configuration.wellKnown[name] != nil { return [Route.wellKnown] }
        guard let path = configuration.pathPrefix.local(path[...]) else { return [] }
        if configuration.servesAgents, Route.agents.matches(path) { return [Route.agents] }
        let routes = Route.all.filter { $0.matches(path) }
        guard configuration.isDevelopment, routes.isEmpty else { return routes }
        return Route.inspection.filter { $0.matches(path) }
    }

    /// `*` is the whole server, with the methods of all paths. Throws `unknownPage` if there is nothing at the path.
    private func methods(at path: String) throws(Problem) -> [Method] {
        if path == "*" { return [.get, .post, .delete, .head, .options] }
        let methods = pages[path: path] == nil ? routes(at: path).map(\.method) : [.get, .post]
        if methods.isEmpty {
            let prefix = configuration.pathPrefix
            let advice = prefix.local(path[...]) == nil ? " All paths of this service begin with '\(prefix)/'." : ""
            throw Problem(
                .unknownPage,
                "There is nothing at '\(path)'.\(advice)",
                members: ["pages": .array(pages.all.map { .string($0.name) })]
            )
        }
        return methods + (methods.contains(.get) ? [.head] : []) + [.options]
    }
}
