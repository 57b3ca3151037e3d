package import Understudy

/// An OpenAPI document as a test reads it.
package struct APIDocument {
    package let root: Value

    package init(_ document: OpenAPIDocument) throws { root = try JSONReader.read(document.json) }

    /// An operation of the document.
    package struct Operation: CustomTestStringConvertible, Sendable {
        package let method: String
        package let path: String
        package let value: Value

        package var name: String { "\(method) \(path)" }
        package var testDescription: String { name }
    }

    package var operations: [Operation] {
        members(root["paths"]).flatMap { path, item in
            members(item).filter { $0.name != "parameters" }.map {
                Operation(method: $0.name.uppercased(), path: path, value: $0.value)
            }
        }
    }

    package func operation(_ method: String, _ path: String) -> Value? { root["paths"]?[path]?[method] }

    /// The value, with a reference followed.
    package func resolve(_ value: Value?) -> Value? {
        guard let reference = value?["$ref"]?.string else { return value }
        return self[reference]
    }

    /// The target of a reference.
    package subscript(reference: String) -> Value? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(Value?.some(root)) { $0?[String($1)] }
    }

    /// A schema of the document.
    package func schema(_ name: String) -> Value? { root["components"]?["schemas"]?[name] }

    /// The schemas of a page's requests in JSON, one for each event.
    package func requests(to page: String) -> [Value] {
        let content = operation("post", "/\(page)")?["requestBody"]?["content"]
        let schema = resolve(content?["application/json"]?["schema"])
        return schema?["oneOf"].map { ($0.array ?? []).compactMap(resolve) } ?? schema.map { [$0] } ?? []
    }

    /// The schema of an operation's successful response in JSON.
    package func response(_ method: String, _ path: String) -> Value? {
        resolve(operation(method, path)?["responses"]?["200"]?["content"]?["application/json"]?["schema"])
    }

    /// The codes that an operation lists for a status: each has an example.
    package func codes(_ operation: Value?, _ status: Int) -> [String] {
        let content = resolve(operation?["responses"]?["\(status)"])?["content"]?["application/problem+json"]
        return names(content?["examples"])
    }

    /// All references in it.
    package var references: Set<String> {
        var references: Set<String> = []
        visit(root) { name, value in
            if name == "$ref", let reference = value.string { references.insert(reference) }
        }
        return references
    }

    /// Calls the closure with each member of each object in the document.
    package func visitMembers(_ body: (String, Value) -> Void) { visit(root, body) }

    func visit(_ value: Value, _ body: (String, Value) -> Void) {
        for element in value.array ?? [] { visit(element, body) }
        for (name, value) in members(value) {
            body(name, value)
            visit(value, body)
        }
    }
}

/// The members, if the value is an object.
package func members(_ value: Value?) -> [(name: String, value: Value)] { Array(value?.object ?? [:]) }

/// The names of the members.
package func names(_ value: Value?) -> [String] { members(value).map(\.name) }

/// The elements that are texts.
package func strings(_ value: Value?) -> [String] { (value?.array ?? []).compactMap(\.string) }

/// The value of a document in YAML.
package func value(ofYAML text: String) throws -> Value? { try YAMLNode.read(text.bytes).map { Value($0) } }
