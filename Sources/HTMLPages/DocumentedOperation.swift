import BusinessLogic

/// An operation of an OpenAPI document, as the template `docs` uses it.
struct DocumentedOperation {
    let tag: String
    let context: Value

    /// - Parameter errors: the errors that the page describes once.
    init(
        _ path: String,
        _ method: String,
        _ operation: Value,
        in document: Value,
        _ errors: [DocumentedError]
    ) {
        tag = operation["tags"]?.array?.first?.string ?? ""
        let parameters = (operation["parameters"]?.array ?? []).map { $0.resolved(in: document) }
        var responses: [Value] = []
        var links: [Value] = []
        for (status, response) in operation["responses"]?.object ?? [:] {
            if let error = errors.first(where: { $0.reference == response["$ref"]?.string }) {
                links.append(["status": .string(status), "id": .string(error.id), "name": .string(error.name)])
                continue
            }
            let response = response.resolved(in: document)
            responses.append([
                "status": .string(status), "description": (response["description"]?.string ?? "").paragraphs,
                "type": response.bodyType,
            ])
        }
        let body = operation["requestBody"]?.resolved(in: document)
        let samples = DocumentedSample.all(of: operation, method, path, in: document)
        context = [
            "id": .string(operation["operationId"]?.string ?? ""), "method": .string(method.uppercased()),
            "class": .string(method), "path": .string(path),
            "summary": (operation["summary"]?.string ?? "").parts,
            "description": (operation["description"]?.string ?? "").paragraphs,
            "parameters": .array(
                parameters.map { parameter in
                    [
                        "name": parameter["name"] ?? .null, "in": parameter["in"] ?? .null,
                        "required": .boolean(parameter["required"] == true),
                        "description": (parameter["description"]?.string ?? "").paragraphs,
                    ]
                }
            ),
            "hasParameters": .boolean(!parameters.isEmpty),
            "body": body?.bodyType ?? [], "hasBody": .boolean(body != nil),
            "responses": .array(responses), "errors": .array(links), "hasErrors": .boolean(!links.isEmpty),
            "samples": .array(samples.map { ["sample": Value($0.summary), "command": .string($0.command)] }),
        ]
    }
}
