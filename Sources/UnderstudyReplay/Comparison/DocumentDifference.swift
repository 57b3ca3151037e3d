import BusinessLogic

/// A difference in what the versions say about themselves: the descriptions of pages, the OpenAPI document, the texts of messages.
package struct DocumentDifference: Equatable {
    /// The document, such as `GET /login`.
    package let document: String
    /// The JSON pointer of the member (RFC 6901).
    package let pointer: String
    /// The JSON of both sides; `nil` if the member is absent.
    package let old: String?
    package let new: String?

    /// All differences of two descriptions.
    static func all(in old: Value.Object, _ new: Value.Object) -> [DocumentDifference] {
        let documents = [old, new].map(documents)
        var differences: [DocumentDifference] = []
        let names = documents[0].map(\.name) + documents[1].map(\.name).filter { documents[0][$0] == nil }
        for name in names {
            collect(documents[0][name], documents[1][name], "") {
                differences.append(DocumentDifference(document: name, pointer: $0, old: $1?.text, new: $2?.text))
            }
        }
        return differences
    }

    private static func documents(of description: Value.Object) -> Value.Object {
        var documents: Value.Object = [:]
        for page in description["pages"]?.array ?? [] {
            guard let name = page["page"]?.string else { continue }
            documents["GET /\(name)"] = page["description"]
        }
        for (name, document) in description["documents"]?.object ?? [:] { documents[name] = document }
        return documents
    }

    /// Calls `body` with each member that differs, and not with its parents.
    private static func collect(
        _ old: Value?,
        _ new: Value?,
        _ pointer: String,
        _ body: (String, Value?, Value?) -> Void
    ) {
        if old == new { return }
        switch (old, new) {
        case (.object(let object), .object(let others)):
            for name in object.map(\.name) + others.map(\.name).filter({ object[$0] == nil }) {
                collect(object[name], others[name], "\(pointer)/\(name.pointerToken)", body)
            }
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            for index in elements.indices { collect(elements[index], others[index], "\(pointer)/\(index)", body) }
        default: body(pointer, old, new)
        }
    }
}
