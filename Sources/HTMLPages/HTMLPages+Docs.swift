import BusinessLogic
import HTTPMessages

extension HTMLPages {
    /// The OpenAPI document as a page.
    func docs(_ document: Value, _ request: Request) -> Response {
        html("docs", request) { context, language in
            let documentation = Documentation(document)
            // All clients get the same page.
            context["key"] = nil
            context["docsStyle"] = .text(content.files[.docsStyle])
            context["docsScript"] = .text(content.files[.docsScript])
            let info = document["info"]
            context["title"] = .text(info?["title"]?.string ?? language["docs.title"])
            context["version"] = .text(info?["version"]?.string)
            context["description"] = .json((info?["description"]?.string ?? "").paragraphs)
            context["groups"] = .json(documentation.groups)
            context["errors"] = .json(documentation.errors)
            context["hasErrors"] = .json(.boolean(documentation.errors != []))
            context["schemas"] = .json(documentation.schemas)
        }
    }
}
