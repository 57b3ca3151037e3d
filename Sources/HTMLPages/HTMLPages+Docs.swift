import BusinessLogic
import HTTPMessages

extension HTMLPages {
    /// The OpenAPI document as a page.
    func docs(_ document: Value, _ request: Request) -> Response {
        html("docs", request) { context, language in
            let operations = DocumentedOperation.all(of: document)
            // All clients get the same page.
            context["origin"] = nil
            context["key"] = nil
            context["docsStyle"] = assets.docsStyle.versionedPath
            context["title"] = document["info"]?["title"]?.string ?? language["docs.title"] ?? ""
            context["version"] = document["info"]?["version"]?.string
            context["description"] = (document["info"]?["description"]?.string ?? "").paragraphs
            context["groups"] = (document["tags"]?.array ?? []).compactMap { tag -> [String: Any]? in
                let name = tag["name"]?.string ?? ""
                let members = operations.filter { $0.tag == name }
                guard !members.isEmpty else { return nil }
                return [
                    "name": name, "description": (tag["description"]?.string ?? "").paragraphs,
                    "operations": members.map(\.context),
                ]
            }
            context["schemas"] = DocumentedSchema.all(of: document).map(\.context)
        }
    }
}

/// An operation of an OpenAPI document, as the template `docs` uses it.
private struct DocumentedOperation {
    let tag: String
    let context: [String: Any]

    static func all(of document: Value) -> [DocumentedOperation] {
        (document["paths"]?.object ?? [:]).flatMap { path, item in
            (item.object ?? [:]).compactMap { method, operation in
                guard operation["operationId"] != nil else { return nil }
                return DocumentedOperation(path, method, operation, document)
            }
        }
    }

    private init(_ path: String, _ method: String, _ operation: Value, _ document: Value) {
        tag = operation["tags"]?.array?.first?.string ?? ""
        let parameters = (operation["parameters"]?.array ?? []).map { $0.resolved(in: document) }
        let responses = (operation["responses"]?.object ?? [:]).map { status, response -> [String: Any] in
            let response = response.resolved(in: document)
            return [
                "status": status, "description": (response["description"]?.string ?? "").paragraphs,
                "type": DocumentedSchema.type(of: response["content"]?["application/json"]?["schema"]),
            ]
        }
        let body = operation["requestBody"]?.resolved(in: document)["content"]?["application/json"]
        context = [
            "id": operation["operationId"]?.string ?? "", "method": method.uppercased(), "path": path,
            "summary": (operation["summary"]?.string ?? "").parts,
            "description": (operation["description"]?.string ?? "").paragraphs,
            "parameters": parameters.map { parameter -> [String: Any] in
                [
                    "name": parameter["name"]?.string ?? "", "in": parameter["in"]?.string ?? "",
                    "required": parameter["required"] == true,
                    "description": (parameter["description"]?.string ?? "").paragraphs,
                ]
            },
            "hasParameters": !parameters.isEmpty, "examples": Self.examples(of: operation, body),
            "body": DocumentedSchema.type(of: body?["schema"]), "hasBody": body != nil,
            "responses": responses,
        ]
    }

    /// The commands of the operation's code samples; otherwise the examples of its body.
    private static func examples(of operation: Value, _ body: Value?) -> [String] {
        let samples = (operation["x-codeSamples"]?.array ?? []).compactMap { $0["source"]?.string }
        guard samples.isEmpty else { return samples }
        let examples = (body?["examples"]?.object ?? [:]).compactMap { $0.value["value"] }
        return (body?["example"].map { [$0] } ?? examples).map { "\($0)" }
    }
}

extension Value {
    /// The value, or the component to which it refers.
    fileprivate func resolved(in document: Value) -> Value {
        guard let reference = self["$ref"]?.string, reference.hasPrefix("#/") else { return self }
        return reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] ?? .null }
    }
}
