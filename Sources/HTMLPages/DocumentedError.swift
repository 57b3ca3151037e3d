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
        var uses: [(reference: String, statuses: [String], count: Int)] = []
        for (_, _, operation) in document.operations {
            for (status, response) in operation["responses"]?.object ?? [:] where status >= "400" {
                guard let reference = response["$ref"]?.string else { continue }
                if let index = uses.firstIndex(where: { $0.reference == reference }) {
                    uses[index].count += 1
                    if !uses[index].statuses.contains(status) { uses[index].statuses.append(status) }
                } else {
                    uses.append((reference, [status], 1))
                }
            }
        }
        return uses.filter { $0.count > 1 }.sorted { ($0.statuses[0], $0.reference) < ($1.statuses[0], $1.reference) }
            .map { DocumentedError($0.reference, $0.statuses, document) }
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
