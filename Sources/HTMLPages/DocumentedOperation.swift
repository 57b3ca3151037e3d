import BusinessLogic

/// An operation of an OpenAPI document, as the template `docs` uses it.
struct DocumentedOperation {
    let tag: String
    let context: [String: Any]

    /// The operations of a document.
    ///
    /// - Parameter errors: the errors that the page describes once.
    static func all(of document: Value, _ errors: [DocumentedError]) -> [DocumentedOperation] {
        document.operations.map { path, method, operation in
            DocumentedOperation(path, method, operation, document, errors)
        }
    }

    private init(
        _ path: String,
        _ method: String,
        _ operation: Value,
        _ document: Value,
        _ errors: [DocumentedError]
    ) {
        tag = operation["tags"]?.array?.first?.string ?? ""
        let parameters = (operation["parameters"]?.array ?? []).map { $0.resolved(in: document) }
        var responses: [[String: Any]] = []
        var links: [[String: Any]] = []
        for (status, response) in operation["responses"]?.object ?? [:] {
            if let error = errors.first(where: { $0.reference == response["$ref"]?.string }) {
                links.append(["status": status, "id": error.id, "name": error.name])
                continue
            }
            let response = response.resolved(in: document)
            responses.append([
                "status": status, "description": (response["description"]?.string ?? "").paragraphs,
                "type": response.bodyType,
            ])
        }
        let body = operation["requestBody"]?.resolved(in: document)
        let samples = DocumentedSample.all(of: operation, method, path, in: document)
        context = [
            "id": operation["operationId"]?.string ?? "", "method": method.uppercased(), "class": method, "path": path,
            "summary": (operation["summary"]?.string ?? "").parts,
            "description": (operation["description"]?.string ?? "").paragraphs,
            "parameters": parameters.map { parameter -> [String: Any] in
                [
                    "name": parameter["name"]?.string ?? "", "in": parameter["in"]?.string ?? "",
                    "required": parameter["required"] == true,
                    "description": (parameter["description"]?.string ?? "").paragraphs,
                ]
            },
            "hasParameters": !parameters.isEmpty,
            "body": body?.bodyType ?? [], "hasBody": body != nil,
            "responses": responses, "errors": links, "hasErrors": !links.isEmpty,
            "languages": samples.first?.texts.map { language, _ -> [String: Any] in
                ["language": language.rawValue, "languageName": language.name, "isFirst": language == .curl]
            } ?? [],
            "samples": samples.map { sample -> [String: Any] in
                [
                    "sample": sample.summary ?? "",
                    "texts": sample.texts.map { ["language": $0.language.rawValue, "text": $0.text] },
                ]
            },
        ]
    }
}
