import BusinessLogic
import HTTPMessages
import UnderstudyPages

extension UnderstudyService {
    /// `GET /`: the pages and documents of the service.
    func showIndex() -> Response {
        let prefix = configuration.pathPrefix
        let pages = pages.all.map { page -> Value in
            ["name": .string(page.name), "href": .string("\(prefix)/\(page.name)")]
        }
        return .json([
            "title": .string(configuration.title),
            "pages": .array(pages),
            "documents": .array(["openapi.json", "openapi.yaml"].map { .string("\(prefix)/\($0)") }),
        ])
    }
}
