import BusinessLogic

/// A response to several operations of an OpenAPI document that reports an error, as the template `docs` uses it. The page describes it once.
struct DocumentedError {
    /// How operations refer to it.
    let reference: String
    /// The name of the component as words: `Body too large`.
    let name: String
    let id: String
    let context: Value

    /// The errors that at least two operations have in common, by status.
    static func shared(in document: Value) -> [DocumentedError] {
        var statuses: [String: [String]] = [:]
        for (_, _, operation) in document.operations {
            for (status, response) in operation["responses"]?.object ?? [:] where status >= "400" {
                if let reference = response["$ref"]?.string { statuses[reference, default: []].append(status) }
            }
        }
        return statuses.filter { $0.value.count > 1 }.sorted { ($0.value[0], $0.key) < ($1.value[0], $1.key) }
            .map { DocumentedError($0.key, $0.value.unique(by: \.self), document) }
    }

    private init(_ reference: String, _ statuses: [String], _ document: Value) {
        let component = reference.split(separator: "/").last.map(String.init) ?? reference
        let response = (["$ref": .string(reference)] as Value).resolved(in: document)
        self.reference = reference
        name = component.readable
        id = "error-\(component)"
        context = [
            "name": .string(name), "id": .string(id), "status": .string(statuses.joined(separator: ", ")),
            "description": (response["description"]?.string ?? "").paragraphs, "type": response.bodyType,
        ]
    }
}
