import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /`: the pages and documents of the service.
    func showIndex() -> Response {
        let prefix = configuration.pathPrefix
        let pages = pages.all.map { page -> Value in
            ["name": .string(page.name), "href": "\(prefix)/\(page.name)", "inNavigation": .boolean(page.inNavigation)]
        }
        return .json([
            "title": .string(configuration.title),
            "pages": .array(pages),
            "documents": .array(["openapi.json", "openapi.yaml"].map { "\(prefix)/\($0)" }),
        ])
    }

    /// `GET /openapi.yaml` and `GET /openapi.json`.
    func showDocument(
        _ contentType: ContentType,
        to request: Request,
        body: @escaping @Sendable (OpenAPIDocument) -> [UInt8]
    ) async throws -> Response {
        let document = try await documents.content(contentType.description) { [openAPI] in
            try StaticContent(body(openAPI), contentType)
        }
        return document.response(to: request)
    }

    /// `GET /problems/CODE`: explains a problem in plain text.
    func explainProblem(_ request: Request) throws -> Response {
        let path = configuration.pathPrefix.local(request.path) ?? ""
        let name = String(path.utf8.dropFirst("/problems/".utf8.count)) ?? ""
        guard let code = Problem.Code.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
            throw Problem(
                .unknownProblem,
                members: ["codes": .array(Problem.Code.allCases.map { .string($0.rawValue) })]
            )
        }
        return .text("\(code.rawValue) (HTTP status \(code.status)): \(code.title).\n\n\(code.explanation)\n")
    }

    /// `GET /.well-known/NAME`: a file by which browsers or apps find out what belongs to the site.
    func showWellKnown(_ request: Request) async throws -> Response {
        let name = String(request.path).wellKnownName ?? ""
        let file = configuration.wellKnown[name] ?? .null
        let document = try await documents.content(".well-known/\(name)") { try StaticContent(file.json, .json) }
        return document.response(to: request)
    }
}

extension String {
    /// The name of a file below `/.well-known/`; `nil` for any other path.
    var wellKnownName: String? {
        let prefix = "/.well-known/"
        return utf8.starts(with: prefix.utf8) ? String(dropFirst(prefix.count)) : nil
    }
}
