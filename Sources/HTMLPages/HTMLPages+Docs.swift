import BusinessLogic
import HTTPMessages

extension HTMLPages {
    /// The OpenAPI document as a page.
    func docs(_ document: Value, _ request: Request) -> Response {
        html("docs", request) { context, language in
            let errors = DocumentedError.shared(in: document)
            let operations = document.operations.map { DocumentedOperation($0, $1, $2, in: document, errors) }
            // All clients get the same page.
            context["key"] = nil
            context["docsStyle"] = .text(content.files[.docsStyle])
            context["docsScript"] = .text(content.files[.docsScript])
            context["title"] = .text(document["info"]?["title"]?.string ?? language["docs.title"])
            context["version"] = .text(document["info"]?["version"]?.string)
            context["description"] = .json((document["info"]?["description"]?.string ?? "").paragraphs)
            let groups = (document["tags"]?.array ?? []).compactMap { tag -> Value? in
                let name = tag["name"]?.string ?? ""
                let members = operations.filter { $0.tag == name }
                guard !members.isEmpty else { return nil }
                return [
                    "name": .string(name), "id": "tag-\(name.queryEncoded)",
                    "description": (tag["description"]?.string ?? "").paragraphs,
                    "operations": .array(members.map(\.context)),
                ]
            }
            context["groups"] = .json(.array(groups))
            context["errors"] = .json(.array(errors.map(\.context)))
            context["hasErrors"] = .json(.boolean(!errors.isEmpty))
            context["schemas"] = .json(.array(DocumentedSchema.all(of: document)))
        }
    }
}

extension Value {
    /// The operations of an OpenAPI document.
    var operations: [(path: String, method: String, operation: Value)] {
        (self["paths"]?.object ?? [:]).flatMap { path, item in
            (item.object ?? [:]).compactMap { method, operation in
                operation["operationId"] == nil ? nil : (path, method, operation)
            }
        }
    }

    /// The value, or the component to which it refers.
    func resolved(in document: Value) -> Value {
        guard let reference = self["$ref"]?.string, reference.hasPrefix("#/") else { return self }
        return reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] ?? .null }
    }

    /// What the bodies of a response or a request are, as the template `part` uses it: of each media type, each once.
    var bodyType: Value {
        var schemas: [Value] = []
        for content in self["content"]?.object?.map(\.value) ?? [] {
            if let schema = content["schema"], !schemas.contains(schema) { schemas.append(schema) }
        }
        return DocumentedSchema.type(of: schemas.count == 1 ? schemas[0] : ["oneOf": .array(schemas)])
    }
}
