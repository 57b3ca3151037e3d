import BusinessLogic
import HTTPMessages
import UnderstudyPages

/// The stage that finds a request's page or route.
extension UnderstudyService {
    /// Finds the page or route at the path, and calls it if it allows the method. HEAD is allowed with GET, OPTIONS everywhere.
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

    /// The service's own routes at a path.
    private func routes(at path: String) -> [Route] {
        if let name = path.wellKnownName, configuration.wellKnown[name] != nil { return [Route.wellKnown] }
        guard let path = configuration.pathPrefix.local(path[...]) else { return [] }
        let routes = Route.all.filter { $0.matches(path) }
        guard configuration.isDevelopment, routes.isEmpty else { return routes }
        return Route.inspection.filter { $0.matches(path) }
    }

    /// The methods that are allowed at a path. `*` is the whole server, with the methods of all paths.
    ///
    /// - Throws: ``Problem`` `unknownPage` if there is nothing at the path.
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
