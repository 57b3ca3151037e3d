import BusinessLogic
import HTTPMessages

struct Documentation {
    typealias Operation = (path: String, method: String, content: Value)

    private let document: Value
    let operations: [Operation]
    /// The statuses of the errors that at least two operations have in common, by their references. The page describes each once.
    private let sharedErrors: [String: [String]]

    init(_ document: Value) {
        self.document = document
        operations = document["paths"].members.flatMap { path, item in
            (item.object ?? [:]).filter { $0.value["operationId"] != nil }.map { (path, $0.name, $0.value) }
        }
        var statuses: [String: [String]] = [:]
        for response in operations.flatMap({ Array($0.content["responses"].members) })
        where response.name >= "400" {
            if let reference = response.value.reference { statuses[reference, default: []].append(response.name) }
        }
        sharedErrors = statuses.filter { $0.value.count > 1 }.mapValues { $0.unique(by: \.self) }
    }

    /// The operations by the sections of the document, and by their paths, with the schemas that only this path uses. What resembles each other is
    /// near, so that it is compressed well.
    var groups: Value {
        let schemas = schemasByPath
        let groups = document["tags"].elements.compactMap { tag -> Value? in
            let members = operations.filter { $0.content["tags"]?.array?.first == tag["name"] }
            guard let name = tag["name"]?.string, !members.isEmpty else { return nil }
            let paths = Dictionary(grouping: members, by: \.path)
            let pages = members.map(\.path).unique(by: \.self).map { path -> Value in
                [
                    "path": .string(path), "operations": .array((paths[path] ?? []).map(context)),
                    "schemas": .array(schemas[path] ?? []),
                ]
            }
            return tag.described(["name": .string(name), "id": "tag-\(name.queryEncoded)", "pages": .array(pages)])
        }
        return .array(groups)
    }

    var headers: Value {
        .array((document["components"]?["parameters"]).members.map(\.value).filter(\.isHeader).map(parameter))
    }

    var errors: Value {
        let sorted = sharedErrors.sorted { ($0.value[0], $0.key) < ($1.value[0], $1.key) }
        return .array(
            sorted.map { error($0.key, $0.value.joined(separator: ", "), resolved(["$ref": .string($0.key)])) }
        )
    }

    /// The schemas that several paths use, or none.
    var schemas: Value { .array(schemasByPath[""] ?? []) }

    /// The schemas by the only path that uses them; all others by an empty text.
    private var schemasByPath: [String: [Value]] {
        var users: [String: Set<String>] = [:]
        for operation in operations {
            var found: Set<String> = []
            addReferences(of: operation.content, to: &found)
            for reference in found { users[reference, default: []].insert(operation.path) }
        }
        let schemas = Dictionary(grouping: (document["components"]?["schemas"]).members) { name, _ -> String in
            let paths = users["#/components/schemas/\(name)"] ?? []
            return paths.count == 1 ? paths.first ?? "" : ""
        }
        return schemas.mapValues { $0.map { schema($0.name, $0.value) } }
    }

    /// Adds the components to which a value leads, except by its examples.
    private func addReferences(of value: Value, to found: inout Set<String>) {
        if let reference = value.reference, found.insert(reference).inserted {
            addReferences(of: resolved(value), to: &found)
        }
        for (name, member) in value.object ?? [:] where name != "examples" { addReferences(of: member, to: &found) }
        for element in value.array ?? [] { addReferences(of: element, to: &found) }
    }

    private func schema(_ name: String, _ schema: Value) -> Value {
        let required = schema["required"].elements
        let members = schema["properties"].members.map { name, member in
            member.described([
                "name": .string(name), "required": .boolean(required.contains(.string(name))),
                "type": Self.type(of: member),
            ])
        }
        return schema.described([
            "name": .string(name), "id": .string(Self.id(ofSchema: name)), "members": .array(members),
            "hasMembers": .boolean(!members.isEmpty), "type": members.isEmpty ? Self.type(of: schema) : [],
        ])
    }

    private func context(of operation: Operation) -> Value {
        let content = operation.content
        let all = content["parameters"].elements
        let headers = all.filter { $0.reference != nil && resolved($0).isHeader }
        let parameters = all.filter { !headers.contains($0) }
        var (responses, errors): ([Value], [Value]) = ([], [])
        for (status, response) in content["responses"].members {
            if let reference = response.reference, sharedErrors[reference] != nil {
                errors.append(error(reference, status, response))
            } else {
                let response = resolved(response)
                responses.append(response.described(["status": .string(status), "type": Self.bodyType(of: response)]))
            }
        }
        let body = content["requestBody"].map(resolved)
        return content.described([
            "id": content["operationId"] ?? .null, "method": .string(operation.method.uppercased()),
            "class": .string(operation.method), "path": .string(operation.path),
            "summary": (content["summary"]?.string ?? "").parts,
            "parameters": .array(parameters.map(parameter)), "hasParameters": .boolean(!parameters.isEmpty),
            "headers": .array(headers.map(parameter)), "hasHeaders": .boolean(!headers.isEmpty),
            "body": body.map(Self.bodyType) ?? [], "hasBody": .boolean(body != nil),
            "responses": .array(responses), "errors": .array(errors), "hasErrors": .boolean(!errors.isEmpty),
            "samples": .array(samples(of: operation)),
        ])
    }

    private func parameter(_ parameter: Value) -> Value {
        let parameter = resolved(parameter)
        let name = parameter["name"] ?? .null
        return parameter.described([
            "name": name, "id": "header-\(name.string ?? "")", "in": parameter["in"] ?? .null,
            "required": parameter["required"] ?? false,
        ])
    }

    private func error(_ reference: String, _ status: String, _ response: Value) -> Value {
        let component = reference.split(separator: "/").last.map(String.init) ?? reference
        return response.described([
            "name": .string(component.readable), "id": "error-\(component)", "status": .string(status),
            "type": Self.bodyType(of: response),
        ])
    }

    private func resolved(_ value: Value) -> Value {
        guard let reference = value.reference, reference.hasPrefix("#/") else { return value }
        return reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] ?? .null }
    }
}

// MARK: Types

extension Documentation {
    /// What the bodies of a response or a request are, as the template `part` uses it: of each media type, each once.
    private static func bodyType(of message: Value) -> Value {
        var schemas: [Value] = []
        for content in message["content"]?.object?.map(\.value) ?? [] {
            if let schema = content["schema"], !schemas.contains(schema) { schemas.append(schema) }
        }
        return type(of: schemas.count == 1 ? schemas[0] : ["oneOf": .array(schemas)])
    }

    /// What a value of a schema is, in words and links to other schemas, such as "array of Command".
    private static func type(of schema: Value) -> Value { .array(parts(of: schema)) }

    private static func parts(of schema: Value) -> [Value] {
        if let name = schema.reference?.split(separator: "/").last.map(String.init) {
            return [["text": .string(name), "isLink": true, "target": .string(id(ofSchema: name)), "isCode": false]]
        }
        if let alternatives = schema["oneOf"]?.array ?? schema["anyOf"]?.array {
            return Array(alternatives.map(parts).joined(separator: [words(" or ")]))
        }
        if let constant = schema["const"] { return [words("\(constant)")] }
        if let values = schema["enum"]?.array { return [words(values.map { "\($0)" }.joined(separator: " or "))] }
        if let items = schema["items"] { return [words("array of ")] + parts(of: items) }
        let kinds = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? "any value"]
        let length = schema["maxLength"]?.integer.map { ", at most \($0) characters" } ?? ""
        let pattern = schema["pattern"]?.string.map { ", as \($0)" } ?? ""
        return [words(kinds.joined(separator: " or ") + length + pattern)]
    }

    private static func words(_ text: String) -> Value { ["text": .string(text), "isLink": false, "isCode": false] }

    /// Operations have IDs without a hyphen.
    private static func id(ofSchema name: String) -> String { "schema-" + name }
}

// MARK: Samples

extension Documentation {
    /// Commands for a POSIX shell: one for each example of the operation's body, and otherwise one with the examples of its schema. The summary is
    /// null if the document does not describe the example.
    func samples(of operation: Operation) -> [Value] {
        let (path, method, content) = operation
        let body = content["requestBody"].map(resolved)?["content"]?["application/json"]
        var requests = (body?["examples"]).members.map { ($0.value["summary"], $0.value["value"]) }
        if requests.isEmpty { requests = [(nil, body.map { $0["example"] ?? example(of: $0["schema"]) })] }
        let security = content["security"]?.array ?? document["security"].elements
        let needsSession = !security.isEmpty && !security.contains([:])
        // Braces and brackets, which curl would expand, are percent-encoded.
        let url = serverURL + target(path, content)
        return requests.enumerated().map { index, request in
            let (summary, body) = request
            var words = ["curl"]
            if method != (body == nil ? "get" : "post") { words.append("-X \(method.uppercased())") }
            if needsSession { words.append("-H 'Authorization: Bearer TOKEN'") }
            // DEL is escaped as other control characters, because it would act on a terminal.
            let json = body.map { "\($0)".replacingBytes("\u{7F}", with: "\\u007f") }
            if let json { words.append("--json \(json.shellQuoted)") }
            let command = (words + [url]).joined(separator: " ")
            return ["sample": summary ?? .null, "command": .string(command), "isFirst": .boolean(index == 0)]
        }
    }

    /// If the document's server lacks an origin, that of a service that runs on this machine: the same for all clients.
    private var serverURL: String {
        let url = document["servers"]?.array?.first?["url"]?.string ?? ""
        let path = url.hasSuffix("/") ? String(url.dropLast()) : url
        return path.contains("://") ? path : "http://localhost:8080\(path)"
    }

    /// The path with the examples of its parameters, and of the parameters of the query that a request must have.
    private func target(_ path: String, _ operation: Value) -> String {
        var values: [String: String] = [:]
        var query: [String] = []
        for parameter in operation["parameters"].elements.map(resolved) {
            let name = parameter["name"]?.string ?? ""
            let value = parameter["example"] ?? example(of: parameter["schema"])
            let text = (value.string ?? "\(value)").queryEncoded
            if parameter["in"] == "path" { values["{\(name)}"] = text }
            if parameter["in"] == "query", parameter["required"] == true {
                query.append("\(name.queryEncoded)=\(text)")
            }
        }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return segments.map { values[$0] ?? $0.queryEncoded }.joined(separator: "/")
            + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))")
    }

    private func example(of schema: Value?) -> Value {
        let schema = schema.map(resolved)
        return schema?["example"] ?? schema?["examples"]?.array?.first ?? schema?["enum"]?.array?.first ?? "…"
    }
}

extension Value {
    /// `nil` if the value is no reference.
    fileprivate var reference: String? { self["$ref"]?.string }

    fileprivate var isHeader: Bool { self["in"] == "header" }

    fileprivate func described(_ members: Object) -> Value {
        var context = members
        context["description"] = (self["description"]?.string ?? "").paragraphs
        return .object(context)
    }
}

extension HTMLPages {
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
            context["headers"] = .json(documentation.headers)
            context["hasHeaders"] = .json(.boolean(documentation.headers != []))
            context["errors"] = .json(documentation.errors)
            context["hasErrors"] = .json(.boolean(documentation.errors != []))
            context["schemas"] = .json(documentation.schemas)
            return nil
        }
    }
}
