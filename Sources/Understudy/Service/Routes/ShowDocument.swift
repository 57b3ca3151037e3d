import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /openapi.yaml` and `GET /openapi.json`.
    ///
    /// - Parameter body: the OpenAPI document in the format of the content type.
    /// - Throws: ``GzipError`` if there is no memory.
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
}
