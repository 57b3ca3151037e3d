import BusinessLogic
import HTTPMessages
import UnderstudyOpenAPI

extension Route {
    /// `GET /`: the pages and documents of the service.
    static let showIndex = Route(
        .get,
        "/",
        operation: ServiceOperation(
            "showIndex",
            .service,
            "List the pages",
            "Returns the pages of the service, and where its documents are. A browser gets HTML if the service has it.",
            success: (
                200,
                ServiceOperation.answer(
                    "The pages and documents.",
                    "application/json",
                    .schema("Index"),
                    example: [
                        "title": "Understudy", "pages": [["name": "login", "href": "/login"]],
                        "documents": ["/openapi.json", "/openapi.yaml"],
                    ]
                )
            ),
            errors: [.malformedRequest, .internalError]
        )
    ) { service, _ in
        let prefix = service.configuration.pathPrefix
        let pages = service.pages.all.map { page -> Value in
            ["name": .string(page.name), "href": .string("\(prefix)/\(page.name)")]
        }
        return .json([
            "title": .string(service.configuration.title),
            "pages": .array(pages),
            "documents": .array(["openapi.json", "openapi.yaml"].map { .string("\(prefix)/\($0)") }),
        ])
    }
}
