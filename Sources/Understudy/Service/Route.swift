import BusinessLogic
import MicroHTTP

/// A path that the service itself answers, beside the pages.
struct Route: Sendable {
    let method: Method
    /// The path; a last segment in braces stands for anything.
    let path: String
    let handle: @Sendable (UnderstudyService, Request) async throws -> Response

    /// All of them.
    static let all: [Route] = [
        Route(method: .post, path: "/session") { try await $0.startSession($1) },
        Route(method: .get, path: "/session") { try await $0.showSession($1) },
        Route(method: .delete, path: "/session") { try await $0.endSession($1) },
        Route(method: .get, path: "/session/history") { try await $0.showHistory($1) },
        Route(method: .get, path: "/livez") { _, _ in .text("ok\n") },
        Route(method: .get, path: "/readyz") { service, _ in
            if service.isDraining { throw Problem(.unavailable, "The server is stopping.", retryAfter: .seconds(1)) }
            return .text("ok\n")
        },
        Route(method: .get, path: "/openapi.yaml") { service, _ in
            Response(
                status: 200,
                headers: [("Content-Type", "application/yaml")],
                body: Array(service.openAPI.yaml.utf8)
            )
        },
        Route(method: .get, path: "/openapi.json") { service, _ in
            Response(status: 200, contentType: .json, body: service.openAPI.json)
        },
        Route(method: .get, path: "/problems/{code}") { _, request in
            guard let code = Problem.Code(rawValue: String(request.path.dropFirst("/problems/".count))) else {
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

    func matches(_ path: String) -> Bool {
        guard self.path.hasSuffix("}"), let brace = self.path.firstIndex(of: "{") else { return path == self.path }
        let prefix = self.path[..<brace]
        return path.hasPrefix(prefix) && path.utf8.count > prefix.utf8.count
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
    /// YAML (RFC 9512).
    static let yaml: ContentType = "application/yaml"
}
