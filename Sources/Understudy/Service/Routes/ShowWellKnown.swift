import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /.well-known/NAME`: a file by which browsers or apps find out what belongs to the site.
    ///
    /// - Throws: ``GzipError`` if there is no memory.
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
